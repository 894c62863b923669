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

// YAML line by line, as VS Code's grammar was before: none of its rules goes on from one line to the next.
const flatYaml = JSON.stringify({
  scopeName: 'source.yaml',
  patterns: [
    {match: '#.*$', name: 'comment.line.number-sign.yaml'},
    {match: '"[^"]*"', name: 'string.quoted.double.yaml'},
    {match: '([\\w\\[\\]:]+)(:)(?=\\s|$)', captures: {1: {name: 'entity.name.tag.yaml'}, 2: {name: 'punctuation.separator.yaml'}}},
  ],
});

let library;

async function loadLibrary() {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  return {
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  };
}

/// A registry that does with grammars what VS Code does. `yamlKind` is `nested`, what VS Code has now, or `flat`.
function makeRegistry(yamlKind) {
  library ??= loadLibrary();
  const files = grammarFiles();
  return new textmate.Registry({
    onigLib: library,
    loadGrammar: async (scopeName) => {
      if (scopeName === 'source.yaml' && yamlKind === 'flat') return textmate.parseRawGrammar(flatYaml, 'flat.json');
      const file = files.get(scopeName);
      return file === undefined ? null : textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
    },
    getInjections: (scopeName) =>
      manifest.contributes.grammars.filter(({injectTo}) => injectTo?.includes(scopeName)).map((grammar) => grammar.scopeName),
  });
}

const registries = {};

/// The tokens of each line: [{text, scopes}], blanks left out. `scopes` is one string.
async function tokenize(scopeName, text, yamlKind = 'nested') {
  registries[yamlKind] ??= makeRegistry(yamlKind);
  const grammar = await registries[yamlKind].loadGrammar(scopeName);
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
