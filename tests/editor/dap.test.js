'use strict';
// `salu debug --dap` end to end. The addresses of fork_join.yaml are those of tests/dap/run_test.cpp.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {test, beforeEach, afterEach} = require('node:test');
const {Adapter, SaluClient, connectTo, programs} = require('./salu_client.js');

const forkJoin = path.join(programs, 'fork_join.yaml');
const instruction = {granularity: 'instruction'};

let folder;
let client;
const adapters = [];

beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'salu_dap_')));
  client = SaluClient.onStdio();
  adapters.push(client.adapter);
});
afterEach(() => {
  for (const adapter of adapters.splice(0)) adapter.kill();
  fs.rmSync(folder, {recursive: true});
});

function adapter(...args) {
  adapters.push(new Adapter(args));
  return adapters.at(-1);
}

function write(name, text) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, text);
  return file;
}

/** A hundred million instructions: four a round. */
function writeLongLoop() {
  return write('long.yaml', `target: gfx900
code:
  asm: |
    s_mov_b32 s0, 25000000
    loop:
    s_sub_u32 s0, s0, 1
    s_add_u32 s1, s1, 3
    s_cmp_lg_u32 s0, 0
    s_cbranch_scc1 loop
    s_endpgm
registers: {s1: 0}
`);
}

const forever = `target: gfx900
code:
  asm: |
    loop:
    s_add_u32 s0, s0, 1
    s_branch loop
registers: {s0: 0}
`;

test('launches over standard input and output, and ends', async () => {
  const stopped = await client.begin({program: forkJoin});
  assert.equal(stopped.body.reason, 'entry');
  assert.equal(await client.pc(), '0x1000');
  const frame = (await client.stackTraceRequest({threadId: 1})).body.stackFrames[0];
  assert.equal(frame.source.path, forkJoin);
  assert.equal(frame.line, 13);
  assert.equal(await client.leave(), 0);
  assert.equal(client.adapter.errors, '');
});

test('walks through nested forks and joins, forwards and backwards', async () => {
  await client.begin({program: forkJoin});
  const seen = [];
  for (let i = 0; i < 8; ++i) seen.push(await client.move('next'));
  assert.deepEqual(seen, ['0x1004', '0x1008', '0x1014', '0x1018', '0x101c', '0x1028', '0x102c', '0x1020']
                             .map((address) => `step ${address}`));
  const stack = await client.scope('Control stack');
  assert.equal(stack[0].value, '48 lanes (0xffffffffffff0000) wait, to continue at 0x100c <else>');
  assert.equal(stack[1], undefined);
  assert.equal(await client.move('stepBack'), 'step 0x102c');
  assert.equal(await client.move('stepBack', instruction), 'step 0x1028');
  assert.equal((await client.scope('Lanes')).exec.type, '8 lanes (0x0000000000005555)');
  assert.equal(await client.move('reverseContinue'), 'entry 0x1000');
  await assert.rejects(client.stepOutRequest({threadId: 1}), /outermost function/);
  assert.equal(await client.move('continue'), 'end of program 0x1038');
  assert.equal(await client.move('stepBack'), 'step 0x1038');
  assert.equal(await client.leave(), 0);
});

test('steps into, over and out of calls', async () => {
  const program = write('calls.yaml', `target: gfx900
code:
  asm: |
    s_mov_b32 s0, 0
    s_call_b64 s[30:31], add
    s_endpgm
    add:
    s_add_u32 s0, s0, 5
    s_setpc_b64 s[30:31]
`);
  await client.begin({program});
  assert.equal(await client.move('next'), 'step 0x1004');
  assert.equal(await client.move('stepIn'), 'step 0x100c');
  const {stackFrames, totalFrames} = (await client.stackTraceRequest({threadId: 1})).body;
  assert.equal(totalFrames, 2);
  assert.deepEqual(stackFrames.map((frame) => frame.line), [8, 5]);
  assert.equal(await client.move('stepOut'), 'step 0x1008');
  assert.equal(await client.move('stepBack'), 'step 0x1004');
  assert.equal(await client.move('next'), 'step 0x1008');
  assert.equal(await client.value('s0'), '0x00000005');
});

test("stops at a line as the library's own test does", async () => {
  await client.hitBreakpoint({program: forkJoin, stopOnEntry: false}, {path: forkJoin, line: 27});
  assert.equal(await client.pc(), '0x1028');
  assert.equal(await client.value('exec'), '0x0000000000005555 (21845)');
});

test('stops at breakpoints of all kinds, with conditions', async () => {
  await client.begin({program: forkJoin}, async () => {
    const lines = await client.setBreakpointsRequest({
      source: {path: forkJoin},
      breakpoints: [{line: 23, condition: 'bcnt(exec) == 8'}, {line: 31, hitCondition: '2'},
                    {line: 20, logMessage: 'lanes {exec}'}],
    });
    assert.deepEqual(lines.body.breakpoints.map((each) => [each.verified, each.line]),
                     [[true, 24], [true, 31], [true, 20]]);
    await client.setFunctionBreakpointsRequest({breakpoints: [{name: 's_cbranch_join', condition: 'csp == 0'}]});
    await client.customRequest('setInstructionBreakpoints', {breakpoints: [{instructionReference: '0x100c'}]});
    await client.setDataBreakpointsRequest({breakpoints: [{dataId: 's37', accessType: 'write'}]});
    await client.setExceptionBreakpointsRequest({filters: ['faults', 'end']});
  });
  assert.equal(await client.move('continue'), 'data breakpoint 0x101c');
  assert.match(client.stop_event.text, /^s37: 0x00000000 -> 0x00000001 by 0x1018/);
  assert.equal(await client.move('continue'), 'breakpoint 0x1020');
  assert.equal(client.stop_event.hitBreakpointIds.length, 1);
  assert.equal(await client.move('continue'), 'instruction breakpoint 0x100c');
  // Both the second hit of line 31 and the mnemonic.
  assert.equal(await client.move('continue'), 'breakpoint 0x1030');
  assert.equal(client.stop_event.hitBreakpointIds.length, 2);
  assert.equal(await client.move('continue'), 'end of program 0x1038');
  assert.deepEqual(client.events.filter((each) => each.event === 'output').map((each) => each.body.output),
                   ['lanes 0x000000000000ffff\n']);
});

test('shows and sets variables, and evaluates', async () => {
  await client.begin({program: forkJoin});
  const sgprs = await client.scope('SGPRs');
  assert.equal(sgprs.s32.value, '0x0000ffff');
  const {variablesReference} = sgprs;
  const set = await client.setVariableRequest({variablesReference, name: 's32', value: '0xff'});
  assert.equal(set.body.value, '0x000000ff');
  await assert.rejects(client.setVariableRequest({variablesReference, name: 's32', value: 'much'}), /`much`/);
  // Eight lanes take `then` now.
  assert.match(await client.value('until then', 'repl'), /\[3\] 0x1014 <then>/);
  assert.equal(await client.value('bcnt(exec)'), '0x8');
  assert.match(await client.value('info stack', 'repl'), /56 lanes/);
  const {targets} = (await client.completionsRequest({text: 'reverse-c', column: 10})).body;
  assert.deepEqual(targets.map((each) => each.label), ['reverse-continue']);
});

test('reads, writes and disassembles memory', async () => {
  await client.begin({program: forkJoin});
  const read = await client.customRequest('readMemory', {memoryReference: '0x1038', count: 8});
  // S_ENDPGM is bf810000; the code ends after it.
  assert.equal(read.body.data, Buffer.from([0, 0, 0x81, 0xbf]).toString('base64'));
  assert.equal(read.body.unreadableBytes, 4);
  // Another S_ENDPGM replaces the instruction at `else`.
  await client.customRequest('writeMemory', {memoryReference: '0x100c', data: read.body.data});
  const {instructions} = (await client.disassembleRequest(
      {memoryReference: '0x1010', instructionOffset: -4, instructionCount: 5, offset: 0, resolveSymbols: true})).body;
  assert.deepEqual(instructions.map((each) => BigInt(each.address)), [0x1000n, 0x1004n, 0x1008n, 0x100cn, 0x1010n]);
  assert.equal(instructions[3].instruction, 's_endpgm');
  assert.equal(instructions[3].symbol, 'else');
  assert.equal(await client.move('continue'), 'end of program 0x100c');
});

test('a run of a hundred million instructions can be paused', async () => {
  await client.begin({program: writeLongLoop(), maxSteps: 1e12});
  await client.continueRequest({threadId: 1});
  assert.equal(await client.move('pause').then((where) => where.split(' ')[0]), 'pause');
  // It continues to the end from there, and goes back to the last round.
  assert.equal(await client.move('continue'), 'end of program 0x1018');
  assert.equal(await client.value('s1'), '0x047868c0 (75000000)');
  assert.equal(await client.move('stepBack', instruction), 'step 0x1018');
  assert.equal(await client.move('stepBack', instruction), 'step 0x1014');
  assert.equal(await client.leave(), 0);
});

test('breakpoints can be set while the program runs', async () => {
  await client.begin({program: write('forever.yaml', forever), maxSteps: 1e15});
  await client.continueRequest({threadId: 1});
  await assert.rejects(client.stackTraceRequest({threadId: 1}), /notStopped/);
  const stopped = client.waitForEvent('stopped');
  const set = await client.setFunctionBreakpointsRequest({breakpoints: [{name: 'loop'}]});
  assert.equal(set.body.breakpoints[0].verified, true);
  assert.equal((await stopped).body.reason, 'function breakpoint');
});

test('a program that never ends can be left', async () => {
  await client.begin({program: write('forever.yaml', forever), maxSteps: 1e15});
  await client.continueRequest({threadId: 1});
  const terminated = client.waitForEvent('terminated');
  await client.terminateRequest();
  await terminated;
  assert.equal(await client.leave(), 0);

  const other = SaluClient.onStdio();
  adapters.push(other.adapter);
  await other.begin({program: write('forever.yaml', forever), maxSteps: 1e15});
  await other.continueRequest({threadId: 1});
  assert.equal(await other.leave(), 0);
});

test('stops at a fault and says what it is', async () => {
  const program = write('fault.yaml', `target: gfx900
code: {asm: "s_load_dword s2, s[0:1], 0x0\\n s_endpgm\\n"}
registers: {s0: 0x5000, s1: 0}
`);
  const stopped = await client.begin({program, stopOnEntry: false});
  assert.equal(stopped.body.reason, 'exception');
  const info = (await client.exceptionInfoRequest({threadId: 1})).body;
  assert.equal(info.exceptionId, 'unmapped_memory');
  assert.match(info.description, /0x5000/);
  const exited = client.waitForEvent('exited');
  await client.continueRequest({threadId: 1});
  assert.equal((await exited).body.exitCode, 4);
});

test('restarts with the current contents of the file', async () => {
  const program = write('t.yaml', 'target: gfx900\ncode: {asm: "s_mov_b32 s0, 1\\n s_endpgm\\n"}\n');
  await client.begin({program, stopOnEntry: false});
  assert.equal(await client.value('s0'), '0x00000001');
  write('t.yaml', 'target: gfx900\ncode: {asm: "s_mov_b32 s0, 2\\n s_endpgm\\n"}\n');
  const stopped = client.waitForEvent('stopped');
  await client.restartRequest({});
  await stopped;
  assert.equal(await client.value('s0'), '0x00000002');
});

test('refuses what it cannot launch', async () => {
  await client.initializeRequest();
  await assert.rejects(client.launchRequest({program: '/nowhere.yaml'}), /nowhere/);
  await assert.rejects(client.attachRequest({}), /cannot attach/);
  await assert.rejects(client.stackTraceRequest({threadId: 1}), /no program has been launched/);
  await assert.rejects(client.customRequest('conquer'), /unsupported request `conquer`/);
  assert.equal(await client.leave(), 0);
});

// ---- over a port ----

test('serves clients on a port, one at a time', async () => {
  const port = await adapter('--port', '0').port();
  const first = await SaluClient.onPort(port);
  assert.equal((await first.begin({program: forkJoin})).body.reason, 'entry');
  // Meanwhile a second client is refused.
  const second = await connectTo(port);
  await new Promise((resolve) => second.on('close', resolve).resume());
  assert.equal(await first.move('next'), 'step 0x1004');
  await first.leave();
  const third = await SaluClient.onPort(port);
  await third.begin({program: forkJoin});
  assert.equal(await third.pc(), '0x1000');
  await third.leave();
});

test('listens on no other address', async () => {
  const port = await adapter('--port', '0').port();
  const others = Object.values(os.networkInterfaces()).flat().filter((each) => each.family === 'IPv4' && !each.internal);
  for (const {address} of others) {
    await assert.rejects(new Promise((resolve, reject) => {
      require('node:net').createConnection(port, address, resolve).on('error', reject);
    }), /ECONNREFUSED/);
  }
  // Also checks the kernel's table, because a machine may not have another address.
  const table = fs.readFileSync('/proc/net/tcp', 'utf8').split('\n').map((line) => line.trim().split(/\s+/));
  const listening = table.filter((row) => row[3] === '0A' && row[1].endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`));
  assert.deepEqual(listening.map((row) => row[1].split(':')[0]), ['0100007F']);
});

test('says that a port is taken', async () => {
  const port = await adapter('--port', '0').port();
  const second = adapter('--port', String(port));
  assert.equal(await second.exit, 3);
  assert.match(second.errors, new RegExp(`^error: port ${port} of 127.0.0.1: cannot be used: `));
});

test('goes on to the next client when one leaves without a word, in the middle of a run', async () => {
  const server = adapter('--port', '0');
  const port = await server.port();
  const rude = await SaluClient.onPort(port);
  await rude.begin({program: write('forever.yaml', forever), maxSteps: 1e15});
  await rude.continueRequest({threadId: 1});
  rude._socket.destroy();
  let polite;
  for (;;) {
    // The server may need a moment until it accepts a new client.
    polite = await SaluClient.onPort(port);
    const answer = await Promise.race([
      polite.initializeRequest().then(() => true, () => false),
      new Promise((resolve) => polite._socket.on('close', () => resolve(false))),
    ]);
    if (answer) break;
  }
  await polite.launchRequest({program: forkJoin});
  await polite.leave();
  assert.equal(server.process.exitCode, null);
});

// ---- messages that no client would send ----

async function ending(bytes, ends = true) {
  const server = adapter();
  server.process.stdin.write(bytes);
  if (ends) server.process.stdin.end();
  return {code: await server.exit, errors: server.errors, output: server.output.toString()};
}

function framed(text) { return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`; }

test('ends when the client has gone', async () => {
  assert.deepEqual(await ending(''), {code: 0, errors: '', output: ''});
});

test('ends when the client goes in the middle of a run', async () => {
  const server = client.adapter;
  await client.begin({program: write('forever.yaml', forever), maxSteps: 1e15});
  await client.continueRequest({threadId: 1});
  server.process.stdin.end();
  assert.equal(await server.exit, 0);
});

test('says what is wrong with a stream that is none of the protocol', async () => {
  for (const [bytes, message] of [
         ['GET / HTTP/1.1\r\n\r\n', 'expected a header such as `Content-Length: 119`, found `GET / HTTP/1.1`'],
         ['Content-Length: none\r\n\r\n', '`Content-Length` is not a number: `none`'],
         ['Content-Length: 99999999999\r\n\r\n', 'a message of 99999999999 bytes; the limit is 8388608'],
         ['x'.repeat(10000), 'the header is longer than 4096 bytes'],
       ]) {
    // The server does not wait for the end of the stream.
    const {code, errors} = await ending(bytes, false);
    assert.equal(code, 3, bytes);
    assert.equal(errors, `error: the client's messages cannot be read: ${message}\n`);
  }
  for (const bytes of ['Content-Length: 100\r\n\r\n{"seq":1}', 'Content-Len']) {
    const {code, errors} = await ending(bytes);
    assert.equal(code, 3);
    assert.equal(errors, "error: the client's messages cannot be read: the input ends within a message\n");
  }
});

test('answers messages that make no sense, and goes on', async () => {
  const messages = ['garbage', '[]', '{"seq":1,"type":"request","command":"launch"}', '{"seq":2}', '\u0000',
                    '{"seq":3,"type":"request","command":"initialize"}'];
  const {code, errors, output} =
      await ending(Buffer.concat([...messages.map((each) => Buffer.from(framed(each))),
                                  Buffer.from('Content-Length: 2\r\n\r\n'), Buffer.from([0xc3, 0x28])]));
  assert.equal(code, 0);
  assert.equal(errors, '');
  const answers = output.split(/Content-Length: \d+\r\n\r\n/).slice(1).map((each) => JSON.parse(each));
  assert.deepEqual(answers.map((each) => each.success), [false, false, false, false, false, true, false]);
});

test('a wrong length ends the conversation', async () => {
  const {code, errors} = await ending('Content-Length: 5\r\n\r\n{"seq":1,"type":"request"}' + framed('{}'));
  assert.equal(code, 3);
  assert.match(errors, /cannot be read: expected a header such as `Content-Length: 119`, found/);
});
