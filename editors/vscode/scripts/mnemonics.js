'use strict';

const fs = require('node:fs');
const path = require('node:path');

const formats = ['sop2', 'sop1', 'sopc', 'sopk', 'sopp', 'smem', 'smrd'];

// A row of src/isa/instructions: SALU_SOP2(s_add_u32, ...), or with a separate mnemonic, SALU_SMRD(smrd_memtime, "s_memtime", ...).
// A row is on one line.
const row = /^SALU_(SOP2|SOP1|SOPC|SOPK|SOPP|SMEM|SMRD)(?:_AS)?\((\w+), (?:"(\w+)", )?.*\)$/;
// Further names that the assembler accepts.
const alias = /MnemonicAlias, \d+> aliases = \{(.*)\};/;

// A semantic function: the type of its result, and its name, which is the name of its row.
const semanticFunction = /^constexpr (?:Checked<)?(\w+)>* (\w+)\(/gm;
// Result types of instructions that write the PC or end the program.
const controls = new Set(['Branch', 'Jump', 'JumpAndLink', 'Fork', 'Join', 'Trap', 'ReturnFromException', 'EndProgram', 'Kill']);

/// Returns the names of control flow instructions.
function readControlFlow(root) {
  const names = new Set();
  for (const file of ['control.inc', 'system.inc']) {
    const text = fs.readFileSync(path.join(root, 'src', 'isa', 'semantics', file), 'utf8');
    for (const [, result, name] of text.matchAll(semanticFunction)) if (controls.has(result)) names.add(name);
  }
  return names;
}

/// Returns every scalar mnemonic of the project's tables once: [{name, format, controlsFlow}]. `root` is the folder of the project.
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
      // SMRD and SMEM have the same instructions, before GCN 1.2 and from it on.
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
