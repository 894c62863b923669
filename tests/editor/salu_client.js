'use strict';
// Microsoft's client of the Debug Adapter Protocol, talking to `salu debug --dap`.
const {spawn} = require('node:child_process');
const net = require('node:net');
const path = require('node:path');
const {DebugClient} = require('@vscode/debugadapter-testsupport');

const salu = process.env.SALU_EXECUTABLE;
const programs = path.join(process.env.SALU_SOURCE_DIR, 'programs');

/** A process of salu, with what it said on standard error and how it ended. */
class Adapter {
  constructor(args = []) {
    this.errors = '';
    this.output = Buffer.alloc(0);
    this.process = spawn(salu, ['debug', '--dap', ...args]);
    this.process.stderr.on('data', (bytes) => { this.errors += bytes; });
    this.process.stdout.on('data', (bytes) => { this.output = Buffer.concat([this.output, bytes]); });
    this.process.stdin.on('error', () => {});
    this.exit = new Promise((resolve) => {
      this.process.on('close', (code, signal) => resolve(signal ?? code));
    });
  }

  /** The port that it listens on, once it says so. */
  async port() {
    for (;;) {
      const found = /^salu: waiting for a debug client on 127\.0\.0\.1:(\d+)$/m.exec(this.errors);
      if (found) return Number(found[1]);
      if (this.process.exitCode !== null) throw new Error(`salu ended: ${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  kill() { this.process.kill('SIGKILL'); }
}

class SaluClient extends DebugClient {
  constructor() {
    super('none', 'none', 'salu');
    this.defaultTimeout = 60000;
    this.events = [];
    for (const name of ['stopped', 'output', 'terminated', 'exited', 'breakpoint', 'invalidated'])
      this.on(name, (event) => this.events.push(event));
  }

  /** Over standard input and output of a process of its own. */
  static onStdio() {
    const client = new SaluClient();
    client.adapter = new Adapter();
    client.connect(client.adapter.process.stdout, client.adapter.process.stdin);
    return client;
  }

  static async onPort(port) {
    const client = new SaluClient();
    await client.start(port);
    // A refused client may get an error on its socket.
    client._socket.on('error', () => {});
    return client;
  }

  /** Launches a program, sets what `configure` sets, and waits for the first stop. */
  async begin(args, configure = async () => {}) {
    const stopped = this.waitForEvent('stopped');
    await Promise.all([
      this.waitForEvent('initialized').then(() => configure(this)).then(() => this.configurationDoneRequest()),
      this.launch(args),
    ]);
    return stopped;
  }

  /** Sends a request that moves, and answers with where it came to: `step 0x1004`. */
  async move(command, args = {}) {
    const stopped = this.waitForEvent('stopped');
    await this.customRequest(command, {threadId: 1, ...args});
    const event = await stopped;
    this.stop_event = event.body;
    return `${event.body.reason} ${await this.pc()}`;
  }

  async pc() {
    const answer = await this.stackTraceRequest({threadId: 1, levels: 1});
    return answer.body.stackFrames[0].instructionPointerReference;
  }

  async value(expression, context = 'watch') {
    return (await this.evaluateRequest({expression, context})).body.result;
  }

  /** The variables of a scope, by name. */
  async scope(name) {
    const scopes = (await this.scopesRequest({frameId: 1})).body.scopes;
    const {variablesReference} = scopes.find((each) => each.name === name);
    const {variables} = (await this.variablesRequest({variablesReference})).body;
    return {variablesReference, ...Object.fromEntries(variables.map((each) => [each.name, each]))};
  }

  /** Says goodbye; the exit code of the process. */
  async leave() {
    await this.disconnectRequest();
    return this.adapter ? this.adapter.exit : this.stopAdapter();
  }
}

/** A plain connection, for what no client would send. */
function connectTo(port) {
  return new Promise((resolve, reject) => {
    const socket = net.createConnection(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

module.exports = {Adapter, SaluClient, connectTo, programs, salu};
