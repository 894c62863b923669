#!/usr/bin/env node
// Writes syntaxes/*.json: the scalar mnemonics come from the project's tables, everything else from grammar.js and scenarios.js.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const {assemblyGrammar} = require('./grammar');
const {readMnemonics} = require('./mnemonics');
const {scenarioGrammar} = require('./scenarios');

/// Returns the files of syntaxes/ as {file name: text}.
function makeGrammars(root) {
  const text = (grammar) => `${JSON.stringify(grammar, null, 2)}\n`;
  return {
    'gcn-asm.tmLanguage.json': text(assemblyGrammar(readMnemonics(root))),
    'gcn-asm-in-yaml.tmLanguage.json': text(scenarioGrammar()),
  };
}

if (require.main === module) {
  for (const [name, text] of Object.entries(makeGrammars(path.join(__dirname, '..', '..', '..')))) {
    fs.writeFileSync(path.join(__dirname, '..', 'syntaxes', name), text);
  }
}

module.exports = {makeGrammars};
