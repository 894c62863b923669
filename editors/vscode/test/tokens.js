'use strict';

const fs = require('node:fs');
const path = require('node:path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const extension = path.join(__dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(extension, 'package.json'), 'utf8'));

// Only the effects of VS Code's YAML grammars on a line before an injected rule sees it. In older versions (such as 1.96), no rule
// continues on the next line; in newer ones, mappings and lists consume the indentation of their lines.
const key = {match: '\\G("[^"]*"|[\\w\\[\\]:]+)(:)(?=\\s|$)', captures: {1: {name: 'entity.name.tag.yaml'}, 2: {name: 'punctuation.separator.yaml'}}};
const comment = {match: '#.*$', name: 'comment.line.number-sign.yaml'};
const yamlGrammars = {
  flat: {
    scopeName: 'source.yaml',
    patterns: [comment, {...key, match: key.match.replace('\\G', '')}],
  },
  nested: {
    scopeName: 'source.yaml',
    patterns: [{begin: '\\A', while: '^', patterns: [{include: '#node'}, comment]}],
    repository: {
      node: {patterns: [{include: '#sequence'}, {include: '#mapping'}]},
      sequence: {begin: '\\G( *)- ', while: '\\G(?:\\1  |(?= *$))', patterns: [{include: '#node'}, comment]},
      mapping: {
        begin: '\\G( *)(?="[^"]*":|[\\w\\[\\]:]+:(?:\\s|$))',
        while: '\\G(?:\\1|(?= *$))',
        name: 'meta.mapping.yaml',
        patterns: [key, {include: '#sequence'}, {include: '#nested'}, comment],
      },
      nested: {
        begin: '\\G( +)(?="[^"]*":|[\\w\\[\\]:]+:(?:\\s|$))',
        while: '\\G(?:\\1|(?= *$))',
        name: 'meta.mapping.yaml',
        patterns: [key, {include: '#sequence'}, {include: '#nested'}, comment],
      },
    },
  },
};

/// The grammars that the extension contributes, as {scope name: file}.
const files = new Map(manifest.contributes.grammars.map(({scopeName, path: file}) => [scopeName, path.join(extension, file)]));

let library;

async function loadLibrary() {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  return {
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  };
}

/// A registry that loads and injects grammars as VS Code does. `yamlKind` is `nested` or `flat`.
function makeRegistry(yamlKind) {
  library ??= loadLibrary();
  return new textmate.Registry({
    onigLib: library,
    loadGrammar: async (scopeName) => {
      if (scopeName === 'source.yaml') return textmate.parseRawGrammar(JSON.stringify(yamlGrammars[yamlKind]), 'yaml.json');
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
