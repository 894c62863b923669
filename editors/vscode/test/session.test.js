'use strict';

const assert = require('node:assert/strict');
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const {start} = require('./fake_vscode');

const root = path.join(__dirname, '..', '..', '..');
const attributes = require('../package.json').contributes.debuggers[0].configurationAttributes.launch.properties;

/// A debug adapter, started as VS Code would start it.
class Adapter {
  constructor({command, args, options}) {
    this.process = spawn(command, args, {...options, stdio: ['pipe', 'pipe', 'inherit']});
    this.ended = new Promise((resolve) => { this.process.on('close', resolve); });
    this.received = Buffer.alloc(0);
    this.messages = [];
    this.waiting = [];
    this.sequence = 0;
    this.process.stdout.on('data', (data) => this.take(data));
  }

  take(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) break;
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.toString('utf8', 0, end))[1]);
      if (this.received.length < end + 4 + length) break;
      this.messages.push(JSON.parse(this.received.toString('utf8', end + 4, end + 4 + length)));
      this.received = this.received.subarray(end + 4 + length);
    }
    this.waiting = this.waiting.filter(({wanted, resolve}) => {
      const found = this.messages.find(wanted);
      if (found !== undefined) resolve(found);
      return found === undefined;
    });
  }

  wait(wanted) {
    return new Promise((resolve) => {
      this.waiting.push({wanted, resolve});
      this.take(Buffer.alloc(0));
    });
  }

  send(command, parameters) {
    const seq = ++this.sequence;
    const text = JSON.stringify({seq, type: 'request', command, arguments: parameters});
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return this.wait((message) => message.type === 'response' && message.request_seq === seq);
  }

  /// Starts a session and waits until it stops at the entry, or until the launch fails.
  async launch(configuration) {
    await this.send('initialize', {clientID: 'test', adapterID: 'salu', linesStartAt1: true, columnsStartAt1: true, pathFormat: 'path'});
    const launched = this.send('launch', configuration);
    const initialized = this.wait((message) => message.event === 'initialized').then(() => this.send('configurationDone'));
    const response = await Promise.race([launched, initialized.then(() => launched)]);
    if (!response.success) return response;
    return this.wait((message) => message.event === 'stopped');
  }

  async end() {
    await this.send('disconnect', {});
    this.process.stdin.end();
    return this.ended;
  }
}

/// Does the same as VS Code with a configuration: resolves it, creates the adapter and starts it.
async function debug(configuration, folder = root) {
  const {vscode} = await start((fake) => {
    fake.workspace.workspaceFolders = [{uri: fake.Uri.file(folder)}];
    fake.settings['salu.path'] = process.env.SALU_EXECUTABLE;
  });
  const [workspaceFolder] = vscode.workspace.workspaceFolders;
  const {provider, factory} = vscode.calls.registered;
  const complete = provider.resolveDebugConfiguration(workspaceFolder, {type: 'salu', request: 'launch', name: 'test', ...configuration});
  const resolved = provider.resolveDebugConfigurationWithSubstitutedVariables(workspaceFolder, complete);
  const adapter = new Adapter(factory.createDebugAdapterDescriptor({configuration: resolved, workspaceFolder}));
  return {adapter, event: await adapter.launch(resolved)};
}

const options = {skip: process.env.SALU_EXECUTABLE ? false : 'no salu', timeout: 60_000};

test('a session stops at the entry of a program that is named relative to the workspace', options, async () => {
  const {adapter, event} = await debug({program: 'programs/gcd.yaml'});
  assert.equal(event.body.reason, 'entry');
  const {body} = await adapter.send('stackTrace', {threadId: event.body.threadId});
  assert.equal(body.stackFrames[0].source.path, path.join(root, 'programs', 'gcd.yaml'));
  assert.equal(body.stackFrames[0].line, 9);
  assert.equal(await adapter.end(), 0);
});

test('the adapter takes every attribute of the schema', options, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'salu-session-'));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  const text = (name) => `name: ${name}\ncode:\n  asm: |\n    .include "first.inc"\n      s_nop n\n    second:\n      s_endpgm\ncases:\n  columns: [s3]\n  rows:\n    - [1]\n    - [2]\n`;
  fs.mkdirSync(path.join(folder, 'parts'));
  fs.writeFileSync(path.join(folder, 'parts', 'first.inc'), 'first:\n');
  fs.writeFileSync(path.join(folder, 'two.yaml'), `${text('one')}---\n${text('two')}`);
  const values = {
    program: 'two.yaml', document: 2, case: 2, mcpu: 'gfx900', symbol: 'second', root: '.', set: ['s5=7'],
    assembler: 'salu', include: ['parts'], defsym: ['n=4'], onVector: 'skip', maxSteps: 1000, maxMemory: '64 MiB',
    stopOnEntry: true, noDebug: false, historyMemory: 16, checkUndefined: true, checkHazards: true,
    checkRaces: true, approximations: 'seed 7', xnack: false, llvm: '19',
  };
  // `state` and `wave` exclude some of these values; `port`, `socket` and `token` are for a running server.
  assert.deepEqual([...Object.keys(values), 'port', 'socket', 'state', 'token', 'wave'].sort(), Object.keys(attributes).sort());
  const {adapter, event} = await debug(values, folder);
  assert.equal(event.event, 'stopped', JSON.stringify(event));
  const value = async (expression) => (await adapter.send('evaluate', {expression, context: 'watch', frameId: event.body.frameId})).body.result;
  assert.match(await value('s5'), /^(0x0*7|7)\b/);
  assert.match(await value('s3'), /^(0x0*2|2)\b/);
  assert.equal((await adapter.send('stackTrace', {threadId: event.body.threadId})).body.stackFrames[0].name, 'second');
  assert.equal(await adapter.end(), 0);
});

test('any wave of a kernel can be looked at', options, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'salu-session-'));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  const kernel = path.join(root, 'programs', 'compiled', 'dot_product.o');
  const parts = 'args: {matrix: {buffer: 36}, vector: {buffer: 12}, out: {buffer: 12}, n: 3}';
  fs.writeFileSync(path.join(folder, 'grid.yaml'), `code: {file: '${kernel}'}\nkernel: {grid_size: 192, waves: all, ${parts}}\n`);
  const {adapter, event} = await debug({program: 'grid.yaml', wave: 1}, folder);
  assert.equal(event.event, 'stopped', JSON.stringify(event));
  // The number of the work-group.
  const {body} = await adapter.send('evaluate', {expression: 's6', context: 'watch', frameId: event.body.frameId});
  assert.match(body.result, /^(0x0*1|1)\b/);
  assert.equal(await adapter.end(), 0);
});

test('what cannot be launched is refused with a reason', options, async () => {
  const {adapter, event} = await debug({program: 'programs/no-such-file.yaml'});
  assert.equal(event.success, false);
  assert.match(JSON.stringify(event.body ?? event.message), /no-such-file\.yaml/);
  await adapter.end();
});
