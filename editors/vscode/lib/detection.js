'use strict';

const path = require('node:path');

/// Directives that only AMD's GPUs have. LLVM writes one of them near the top; comments and `.text` may stand before it.
const assemblyDirective = /^\s*\.(?:amdgcn_target|amdgcn\b|amd_amdgpu_isa|amdhsa_code_object_version|hsa_code_object_version|hsa_code_object_isa)/m;
const linesLookedAt = 40;

const scenarioName = /\.salu\.(?:yaml|yml|json)$/;
const scenarioSchema = /^(?:schema: *|\s*"schema": *")salu-scenario-v\d+\b/m;

/// The beginning of a document, as text.
function head(document) {
  const lines = [];
  for (let line = 0; line < Math.min(document.lineCount, linesLookedAt); ++line) lines.push(document.lineAt(line).text);
  return lines.join('\n');
}

/// Is it an assembly file that says that it is for GCN?
function isGcnAssembly(document) {
  return /\.(?:s|asm)$/i.test(document.fileName) && assemblyDirective.test(head(document));
}

/// Is it a scenario, by its name or by what it says?
function isScenario(document) {
  return scenarioName.test(document.fileName) || scenarioSchema.test(head(document));
}

/// May the debugger start with it?
function isProgram(document) {
  return document.languageId === 'gcn-asm' || isScenario(document) || /\.(?:o|so|hsaco|hex|bin)$/.test(document.fileName);
}

/// What a session of the file is called.
const nameOf = (file) => path.basename(file);

module.exports = {isGcnAssembly, isProgram, isScenario, nameOf};
