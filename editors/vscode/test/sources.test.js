'use strict';

const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const {tokenize} = require('./tokens');

const root = path.join(__dirname, '..', '..', '..');

const processors = ['tahiti', 'bonaire', 'tonga', 'gfx900', 'gfx906', 'gfx908', 'gfx90a', 'gfx942'];
const registers = /^(?:(?:[sva]|ttmp)(?:\d+|\[\d+:\d+\])|(?:vcc|exec|flat_scratch|xnack_mask)(?:_lo|_hi)?|m0|src_\w+)$/;

/// Checks the tokens of a line of LLVM's assembly without using the grammar: LLVM prints one statement per line, after a tab.
function expectStatement(tokens, line, where) {
  const statement = /^\t([a-z]\w*)(?:\s|$)/.exec(line);
  if (statement === null) return 0;
  const [, mnemonic] = statement;
  const scope = mnemonic.startsWith('s_') ? /keyword\.(mnemonic|control)\.s/
    : mnemonic.startsWith('v_') ? /support\.function\.mnemonic\.vector/ : /support\.function\.mnemonic\.(memory|export)/;
  assert.equal(tokens[0].text, mnemonic, where);
  assert.match(tokens[0].scopes, scope, where);
  for (const {text, scopes} of tokens) {
    // Every token has a specific scope, and with it a colour.
    assert.doesNotMatch(scopes, /invalid|meta\.[\w.-]+$/, `${where}: ${text}`);
    if (registers.test(text)) assert.match(scopes, /variable\.(other|language)\.register/, `${where}: ${text}`);
  }
  return 1;
}

async function expectAssembly(text, name) {
  const lines = text.split('\n');
  const tokens = await tokenize('source.gcn-asm', text);
  let statements = 0;
  let isMetadata = false;
  lines.forEach((line, index) => {
    const where = `${name}:${index + 1}: ${line}`;
    if (/^\t\.end_amdgpu_(pal_)?metadata/.test(line)) isMetadata = false;
    for (const {scopes} of tokens[index]) {
      assert.equal(scopes.includes('meta.embedded.block.yaml'), isMetadata, where);
      assert.doesNotMatch(scopes, /invalid|macro/, where);
    }
    if (/^\t\.amdgpu_(pal_)?metadata/.test(line)) isMetadata = true;
    if (isMetadata) return;
    statements += expectStatement(tokens[index], line, where);
    if (/^\t\./.test(line)) assert.match(tokens[index][0].scopes, /keyword\.directive/, where);
    if (/^[.\w$]+:/.test(line)) assert.match(tokens[index][0].scopes, /entity\.name\.function\.label/, where);
    if (/^\s*;/.test(line)) assert.match(tokens[index][0].scopes, /comment/, where);
  });
  return statements;
}

const llc = process.env.SALU_LLC || 'llc-19';
const hasLlvm = spawnSync(llc, ['--version']).status === 0;
const modules = [
  [path.join(__dirname, 'vector.ll'), 'amdgcn-amd-amdhsa'],
  [path.join(root, 'programs', 'compiled', 'isqrt.ll'), 'amdgcn-amd-amdpal'],
  [path.join(root, 'examples', 'miscompilation', 'smooth.ll'), 'amdgcn-amd-amdpal'],
];

for (const processor of processors) {
  test(`what LLVM prints for ${processor}`, {skip: hasLlvm ? false : `${llc} is not there`}, async () => {
    let statements = 0;
    const level = processors.indexOf(processor) % 2 === 0 ? '-O0' : '-O2';
    for (const [module, triple] of modules) {
      const result = spawnSync(llc, [`-mtriple=${triple}`, `-mcpu=${processor}`, level, module, '-o', '-'],
        {encoding: 'utf8', maxBuffer: 64 << 20});
      assert.equal(result.status, 0, `${module}: ${result.stderr}`);
      statements += await expectAssembly(result.stdout, `${path.basename(module)} for ${processor}`);
    }
    assert.ok(statements > 50, `${statements} statements`);
  });
}

const filesBelow = (folder) => fs.readdirSync(folder, {withFileTypes: true, recursive: true})
  .filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
const programs = filesBelow(path.join(root, 'programs'));

/// Returns the lines of a scenario that are assembly: those with a greater indentation than the `asm: |` above them.
function assemblyLines(lines) {
  let column = -1;
  return lines.map((line) => {
    const key = /^( *(?:- )?)asm: *\|/.exec(line);
    const indentation = line.search(/\S/);
    if (column >= 0 && (indentation < 0 || indentation > column)) return true;
    column = key === null ? -1 : key[1].length;
    return false;
  });
}

async function expectScenario(text, name, yaml) {
  const lines = text.split('\n');
  const tokens = await tokenize('source.yaml', text, yaml);
  let instructions = 0;
  assemblyLines(lines).forEach((isAssembly, index) => {
    const where = `${name}:${index + 1}: ${lines[index]}`;
    for (const {text: word, scopes} of tokens[index]) {
      assert.equal(scopes.includes('meta.embedded.block.gcn-asm'), isAssembly, `${where}: ${word}`);
      assert.doesNotMatch(scopes, /invalid/, `${where}: ${word}`);
    }
    if (!isAssembly) return;
    const code = lines[index].replace(/(?:;|\/\/).*$/, '').replace(/^\s*[\w.$]+:/, '').trim();
    if (code === '' || !/^[sv]_|^(?:ds|flat|global|buffer)_/.test(code)) return;
    const mnemonic = code.split(/\s/)[0];
    const scope = tokens[index].find((token) => token.text === mnemonic)?.scopes;
    assert.match(scope ?? 'none', /keyword\.(mnemonic|control)\.s|support\.function\.mnemonic/, where);
    ++instructions;
  });
  return instructions;
}

const blocks = `code:
  - asm: |
      s_nop 0

      s_branch 0
    address: 0x2000
  - address: 0x1000
    asm: |-   # why not
        s_nop 1
    symbol: here
---
code:
  asm: |
    s_endpgm
name: text
other: |
  s_nop is not an instruction here
`;

// VS Code has had two YAML grammars, which leave different parts of a line to injected rules.
for (const yaml of ['nested', 'flat']) {
  test(`every instruction of the programs has its colour, and the YAML around it keeps its own: ${yaml}`, async () => {
    let instructions = 0;
    for (const file of programs.filter((name) => name.endsWith('.yaml'))) {
      instructions += await expectScenario(fs.readFileSync(file, 'utf8'), path.relative(root, file), yaml);
    }
    assert.ok(instructions > 300, `${instructions} instructions`);
  });

  test(`assembly ends with its block, wherever the block is: ${yaml}`, async () => {
    assert.equal(await expectScenario(blocks, 'made up', yaml), 4);
  });
}


test('assembly files of the programs', async () => {
  for (const file of programs.filter((name) => name.endsWith('.s'))) {
    for (const [index, tokens] of (await tokenize('source.gcn-asm', fs.readFileSync(file, 'utf8'))).entries()) {
      for (const {scopes} of tokens) assert.doesNotMatch(scopes, /invalid|macro/, `${file}:${index + 1}`);
    }
  }
});
