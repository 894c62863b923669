'use strict';

const path = require('node:path');

/// Directives that only AMD's GPUs have. LLVM writes one of them near the top; comments and `.text` may stand before it.
const assemblyDirective = /^\s*\.(?:amdgcn_target|amdgcn\b|amd_amdgpu_isa|amdhsa_code_object_version|hsa_code_object_version|hsa_code_object_isa)/m;
const assemblyLines = 40;

const scenarioName = /\.salu\.(?:yaml|yml|json)$/;
const scenarioSchema = /^(?:schema: *|\s*"schema": *")salu-scenario-v\d+\b/m;
// The one key that every scenario has, and those of which it has one as a rule.
const scenarioKeys = [/^code:(?:\s|$)/m, /^(?:target|registers|kernel|cases|expect):(?:\s|$)/m];
const scenarioLines = 200;

/// The first lines of a document, as text.
function head(document, count) {
  const lines = [];
  for (let line = 0; line < Math.min(document.lineCount, count); ++line) lines.push(document.lineAt(line).text);
  return lines.join('\n');
}

/// Is it an assembly file that says that it is for GCN?
function isGcnAssembly(document) {
  return /\.(?:s|asm)$/i.test(document.fileName) && assemblyDirective.test(head(document, assemblyLines));
}

/// Is it a scenario, by its name or by what it says?
function isScenario(document) {
  if (scenarioName.test(document.fileName)) return true;
  if (!/\.(?:yaml|yml|json)$/.test(document.fileName)) return false;
  const text = head(document, scenarioLines);
  return scenarioSchema.test(text) || scenarioKeys.every((key) => key.test(text));
}

/// May the debugger start with it?
function isProgram(document) {
  return document.languageId === 'gcn-asm' || isScenario(document) || /\.(?:o|so|hsaco|hex|bin)$/.test(document.fileName);
}

/// What a session of the file is called.
const nameOf = (file) => path.basename(file);

module.exports = {isGcnAssembly, isProgram, isScenario, nameOf};
