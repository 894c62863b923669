'use strict';

const fs = require('node:fs');
const path = require('node:path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const extension = path.join(__dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));
// The grammars of VS Code's own YAML. Only they are used of that package, so package.json leaves out what it depends on.
const yaml = path.join(path.dirname(require.resolve('@codingame/monaco-vscode-yaml-default-extension')), 'resources');

/// {scope name: file}: those of VS Code, and those that the extension contributes.
function grammarFiles() {
  const files = new Map();
  for (const {scopeName, path: file} of JSON.parse(fs.readFileSync(path.join(yaml, 'package.json'), 'utf8')).contributes.grammars) {
    files.set(scopeName, path.join(yaml, path.basename(file)));
  }
  for (const {scopeName, path: file} of manifest.contributes.grammars) files.set(scopeName, path.join(extension, file));
  return files;
}

/// A registry that does with grammars what VS Code does.
async function makeRegistry() {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const files = grammarFiles();
  return new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scopeName) => {
      const file = files.get(scopeName);
      return file === undefined ? null : textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
    getInjections: (scopeName) =>
      manifest.contributes.grammars.filter(({injectTo}) => injectTo?.includes(scopeName)).map((grammar) => grammar.scopeName),
  });
}

let registry;

/// The tokens of each line: [{text, scopes}], blanks left out. `scopes` is one string.
async function tokenize(scopeName, text) {
  registry ??= makeRegistry();
  const grammar = await (await registry).loadGrammar(scopeName);
  let stack = textmate.INITIAL;
  return text.split('\n').map((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens
      .map((token) => ({text: line.slice(token.startIndex, token.endIndex).trim(), scopes: token.scopes.join(' ')}))
      .filter((token) => token.text !== '');
  });
}

module.exports = {tokenize};
