'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const {makeGrammars} = require('../scripts/make-grammars');
const {tokenize} = require('./tokens');

const root = path.join(__dirname, '..', '..', '..');
const read = (...names) => fs.readFileSync(path.join(root, ...names), 'utf8');

test('the grammars are those of the tables', () => {
  for (const [name, text] of Object.entries(makeGrammars(root))) {
    assert.equal(read('editors', 'vscode', 'syntaxes', name), text, `${name}: npm run grammars writes it`);
  }
});

// A table from which the grammar is not generated.
test('every mnemonic of the reference table has the scope of its format', async () => {
  const rows = read('tests', 'data', 'isa', 'opcodes.tsv').split('\n').slice(1).filter((line) => line !== '');
  assert.ok(rows.length > 250);
  for (const row of rows) {
    const [format, mnemonic] = row.split('\t');
    const family = format === 'SMRD' ? 'smem' : format.toLowerCase();
    const jumps = /^s_(c?branch|setpc|swappc|call_|rfe|trap|endpgm|setkill)/.test(mnemonic);
    for (const [[token], name] of [[...(await tokenize('source.gcn-asm', `${mnemonic} s0`)), mnemonic],
      [...(await tokenize('source.gcn-asm', `  ${mnemonic.toUpperCase()}`)), mnemonic.toUpperCase()]]) {
      assert.equal(token.text, name);
      assert.match(token.scopes, new RegExp(`keyword\\.${jumps ? 'control' : 'mnemonic'}\\.${family}\\.gcn-asm$`), row);
    }
  }
});

/// Returns the innermost scope of each token of a line, as {text: scope}.
async function scopesOf(line, scopeName = 'source.gcn-asm') {
  const [tokens] = await tokenize(scopeName, line);
  return Object.fromEntries(tokens.map(({text, scopes}) => [text, scopes.split(' ').at(-1).replace(/\.gcn-asm$/, '')]));
}

const lines = [
  ['s_add_u32 s0, s[2:3], 0x10 ; sum', {s_add_u32: 'keyword.mnemonic.sop2', s0: 'variable.other.register.sgpr',
    's[2:3]': 'variable.other.register.sgpr', '0x10': 'constant.numeric.hex', '; sum': 'comment.line.semicolon'}],
  ['s_mov_b64 s[base:base+1], 0', {s: 'variable.other.register.sgpr', base: 'entity.name.function.reference', '+': 'keyword.operator',
    ':': 'punctuation.separator.range', ']': 'punctuation.bracket'}],
  ['loop: s_cbranch_scc1 s_done // s_nop 0', {loop: 'entity.name.function.label', s_cbranch_scc1: 'keyword.control.sopp',
    s_done: 'entity.name.function.reference', '// s_nop 0': 'comment.line.double-slash'}],
  ['s_and_saveexec_b64 s[4:5], vcc /* mask */', {s_and_saveexec_b64: 'keyword.mnemonic.sop1',
    vcc: 'variable.language.register.special', mask: 'comment.block'}],
  ['s_getreg_b32 s36, hwreg(HW_REG_MODE, 29, 3)', {hwreg: 'support.function.operand', HW_REG_MODE: 'variable.other.constant.hwreg',
    29: 'constant.numeric.decimal', s_getreg_b32: 'keyword.mnemonic.sopk'}],
  ['s_sendmsg sendmsg(MSG_GS, GS_OP_EMIT, 0)', {sendmsg: 'support.function.operand', MSG_GS: 'variable.other.constant.message',
    GS_OP_EMIT: 'variable.other.constant.message'}],
  ['s_waitcnt vmcnt(0) & lgkmcnt(0)', {vmcnt: 'support.function.counter', lgkmcnt: 'support.function.counter', '&': 'keyword.operator'}],
  ['s_set_gpr_idx_on s0, gpr_idx(SRC0,DST)', {gpr_idx: 'support.function.operand', SRC0: 'variable.other.constant.select'}],
  ['s_load_dwordx2 s[6:7], s[0:1], 0x8 glc', {s_load_dwordx2: 'keyword.mnemonic.smem', glc: 'storage.modifier'}],
  ['s_load_dword s5, s[6:7], s1 offset:0x0', {offset: 'storage.modifier.named', s1: 'variable.other.register.sgpr'}],
  ['s_branch done', {done: 'entity.name.function.reference'}],
  ['s_movk_i32 m0, -0x8000', {m0: 'variable.language.register.special', '-': 'keyword.operator', '0x8000': 'constant.numeric.hex'}],
  ['s_mov_b64 tba, flat_scratch', {tba: 'variable.language.register.special', flat_scratch: 'variable.language.register.special'}],
  ['s_mov_b32 exec_lo, src_shared_base', {exec_lo: 'variable.language.register.special', src_shared_base: 'variable.language.register.special'}],
  ['s_mov_b64 xnack_mask, tma', {xnack_mask: 'variable.language.register.special', tma: 'variable.language.register.special'}],
  ['s_mul_i32 ttmp4, scc, 0.5', {ttmp4: 'variable.other.register.sgpr', scc: 'variable.language.register.special', '0.5': 'constant.numeric.float'}],
  ['s_branch 1b', {'1b': 'constant.other.label'}],
  ['v_add_f32_dpp v0, v1, v2 quad_perm:[0,1,2,3] row_mask:0xf', {v_add_f32_dpp: 'support.function.mnemonic.vector',
    v0: 'variable.other.register.vgpr', quad_perm: 'storage.modifier.named'}],
  ['v_mov_b32_sdwa v1, sext(v2) dst_sel:DWORD dst_unused:UNUSED_PAD', {sext: 'support.function.operand', DWORD: 'variable.other.constant.select'}],
  ['buffer_load_dword v0, off, s[0:3], 0 offen glc', {buffer_load_dword: 'support.function.mnemonic.memory', off: 'storage.modifier', offen: 'storage.modifier'}],
  ['exp mrt0 v0, v1, v2, off done vm', {exp: 'support.function.mnemonic.export', mrt0: 'variable.other.constant.export', vm: 'storage.modifier'}],
  ['.amdgcn_target "amdgcn-amd-amdhsa--gfx900"', {'.amdgcn_target': 'keyword.directive', 'amdgcn-amd-amdhsa--gfx900': 'string.quoted.double'}],
  ['count = 4 * 2', {count: 'variable.other.constant', '=': 'keyword.operator.assignment', '*': 'keyword.operator'}],
  ['s_mov_b128 s[0:3], 0', {s_mov_b128: 'invalid.illegal.mnemonic'}],
  ['s_add_u3 s0, s1, s2', {s_add_u3: 'invalid.illegal.mnemonic'}],
];

for (const [line, expected] of lines) {
  test(line, async () => {
    const actual = await scopesOf(line);
    for (const [text, scope] of Object.entries(expected)) assert.equal(actual[text], scope, text);
  });
}

test('a comment in a block ends where it ends', async () => {
  const [, inside, behind] = await tokenize('source.gcn-asm', 's_nop 0 /* one\ns_nop 1\n*/ s_nop 2');
  assert.match(inside[0].scopes, /comment\.block/);
  assert.match(behind.at(-1).scopes, /constant\.numeric/);
});

test('metadata is YAML', async () => {
  const [, key, , code] = await tokenize('source.gcn-asm', '\t.amdgpu_metadata\n---\n  .end_amdgpu_metadata\n\ts_endpgm');
  assert.match(key[0].scopes, /meta\.embedded\.block\.yaml/);
  assert.match(code[0].scopes, /keyword\.control\.sopp/);
  assert.doesNotMatch(code[0].scopes, /yaml/);
});
