'use strict';

const path = require('node:path');

/// Directives that only AMD GPUs have. LLVM writes one of them near the top, after comments and `.text`.
const assemblyDirective = /^\s*\.(?:amdgcn_target|amdgcn\b|amd_amdgpu_isa|amdhsa_code_object_version|hsa_code_object_version|hsa_code_object_isa)/m;
const assemblyLines = 40;

const scenarioName = /\.salu\.(?:yaml|yml|json)$/;
const scenarioSchema = /^(?:schema: *|\s*"schema": *")salu-scenario-v\d+\b/m;
// The key that every scenario has, and keys of which a scenario usually has at least one.
const scenarioKeys = [/^code:(?:\s|$)/m, /^(?:target|registers|kernel|cases|expect):(?:\s|$)/m];
const scenarioLines = 200;

/// The first lines of a document, as text.
function head(document, count) {
  const lines = [];
  for (let line = 0; line < Math.min(document.lineCount, count); ++line) lines.push(document.lineAt(line).text);
  return lines.join('\n');
}

/// True for an assembly file with GCN directives.
function isGcnAssembly(document) {
  return /\.(?:s|asm)$/i.test(document.fileName) && assemblyDirective.test(head(document, assemblyLines));
}

/// True for a scenario, by its name or contents.
function isScenario(document) {
  if (scenarioName.test(document.fileName)) return true;
  if (!/\.(?:yaml|yml|json)$/.test(document.fileName)) return false;
  const text = head(document, scenarioLines);
  return scenarioSchema.test(text) || scenarioKeys.every((key) => key.test(text));
}

/// True if the debugger can start with the document.
function isProgram(document) {
  return document.languageId === 'gcn-asm' || isScenario(document) || /\.(?:o|so|hsaco|hex|bin)$/.test(document.fileName);
}

/// Returns the name of a debug session of the file.
const nameOf = (file) => path.basename(file);

module.exports = {isGcnAssembly, isProgram, isScenario, nameOf};
