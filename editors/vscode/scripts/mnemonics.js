'use strict';

const fs = require('node:fs');
const path = require('node:path');

const formats = ['sop2', 'sop1', 'sopc', 'sopk', 'sopp', 'smem', 'smrd'];

// A row of src/isa/instructions: SALU_SOP2(s_add_u32, ...), or with a mnemonic of its own, SALU_SMRD(smrd_memtime, "s_memtime", ...).
// A row is on one line.
const row = /^SALU_(SOP2|SOP1|SOPC|SOPK|SOPP|SMEM|SMRD)(?:_AS)?\((\w+), (?:"(\w+)", )?.*\)$/;
// Names that the assembler takes besides those of the rows.
const alias = /MnemonicAlias, \d+> aliases = \{(.*)\};/;

// A semantic function, which has the name of its row, and the type of its result.
const semanticFunction = /^constexpr (?:Checked<)?(\w+)>* (\w+)\(/gm;
// Results that write the PC or end the program, so that what follows may not run.
const controls = new Set(['Branch', 'Jump', 'JumpAndLink', 'Fork', 'Join', 'Trap', 'ReturnFromException', 'EndProgram', 'Kill']);

/// The names of the rows that control where the program goes on.
function readControlFlow(root) {
  const names = new Set();
  for (const file of ['control.inc', 'system.inc']) {
    const text = fs.readFileSync(path.join(root, 'src', 'isa', 'semantics', file), 'utf8');
    for (const [, result, name] of text.matchAll(semanticFunction)) if (controls.has(result)) names.add(name);
  }
  return names;
}

/// Every scalar mnemonic of the project's tables: [{name, format, controlsFlow}], one of a name. `root` is the folder of the project.
function readMnemonics(root) {
  const folder = path.join(root, 'src', 'isa', 'instructions');
  const controlFlow = readControlFlow(root);
  const found = new Map();
  for (const format of formats) {
    for (const line of fs.readFileSync(path.join(folder, `${format}.def`), 'utf8').split('\n')) {
      if (line === '' || line.startsWith('//')) continue;
      const match = row.exec(line);
      if (match === null) throw new Error(`${format}.def: not a row: ${line}`);
      const name = match[3] ?? match[2];
      // SMRD and SMEM are the same instructions before and from GCN 1.2 on.
      const family = format === 'smrd' ? 'smem' : format;
      if (!found.has(name)) found.set(name, {name, format: family, controlsFlow: controlFlow.has(match[2])});
    }
  }
  const aliases = alias.exec(fs.readFileSync(path.join(root, 'src', 'isa', 'instruction.cpp'), 'utf8'));
  if (aliases === null) throw new Error('src/isa/instruction.cpp: no list of aliases');
  for (const [, name, of] of aliases[1].matchAll(/\{"(\w+)", "(\w+)"\}/g)) found.set(name, {...found.get(of), name});
  return [...found.values()];
}

module.exports = {readMnemonics};
