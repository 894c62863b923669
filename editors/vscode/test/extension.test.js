'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const {makeDocument, start} = require('./fake_vscode');

const scenario = '# A program.\nschema: salu-scenario-v1\ncode:\n  asm: s_endpgm\n';
const target = '\t.text\n\t.amdgcn_target "amdgcn-amd-amdhsa--gfx900"\n\t.globl f\n';

/// A folder with an executable named salu that does what `script` says.
function folderWithSalu(t, script = 'exit 0') {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'salu-extension-'));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  fs.writeFileSync(path.join(folder, 'salu'), `#!/bin/sh\n${script}\n`, {mode: 0o755});
  return folder;
}

/// Lets PATH be one folder while a test runs.
function usePath(t, folder) {
  const before = process.env.PATH;
  process.env.PATH = folder;
  t.after(() => { process.env.PATH = before; });
}

const inFolder = (folder) => (vscode) => { vscode.workspace.workspaceFolders = [{uri: vscode.Uri.file(folder)}]; };
const session = (vscode, configuration) => ({configuration, workspaceFolder: vscode.workspace.workspaceFolders?.[0]});

test('activation registers what package.json promises', async () => {
  const {vscode, context} = await start();
  const manifest = require('../package.json');
  for (const {command} of manifest.contributes.commands) assert.equal(typeof vscode.calls.registered[command], 'function', command);
  assert.ok(vscode.calls.registered.provider && vscode.calls.registered.factory);
  assert.ok(context.subscriptions.length >= 6);
  assert.ok(context.subscriptions.every((item) => item !== undefined));
});

test('salu from PATH is started in the folder of the workspace', async (t) => {
  const folder = folderWithSalu(t);
  usePath(t, `/does/not/exist${path.delimiter}${folder}`);
  const {vscode} = await start(inFolder('/home/user/project'));
  const adapter = vscode.calls.registered.factory.createDebugAdapterDescriptor(session(vscode, {program: 'a.yaml'}));
  assert.equal(adapter.command, path.join(folder, 'salu'));
  assert.deepEqual(adapter.args, ['debug', '--dap']);
  assert.deepEqual(adapter.options, {cwd: '/home/user/project'});
});

test('the setting may name a path, relative to the workspace or with variables', async (t) => {
  const folder = folderWithSalu(t);
  usePath(t, '');
  const {vscode} = await start(inFolder(folder));
  process.env.SALU_TEST_FOLDER = folder;
  for (const setting of ['./salu', '${workspaceFolder}/salu', path.join(folder, 'salu'), '${env:SALU_TEST_FOLDER}/salu']) {
    vscode.settings['salu.path'] = setting;
    const adapter = vscode.calls.registered.factory.createDebugAdapterDescriptor(session(vscode, {}));
    assert.equal(adapter.command, path.join(folder, 'salu'), setting);
  }
  const {expand} = require('../lib/program');
  assert.equal(expand('~/bin/salu', undefined), path.join(os.homedir(), 'bin/salu'));
  // ECMAScript gives `$$`, `$&`, `` $` `` and `$'` in a replacement a meaning. They are ordinary characters in the name of a folder.
  for (const folder of ['/a$$b', '/a$&b', '/a$`b', "/a$'b", '/${userHome}', '/${env:NAME}']) {
    assert.equal(expand('${workspaceFolder}/salu', folder, {NAME: 'x'}), `${folder}/salu`);
    assert.equal(expand('${env:NAME}/salu', '/w', {NAME: folder}), `${folder}/salu`);
  }
  assert.equal(expand('a~/${userHome}', '/w'), `a~/${os.homedir()}`);
});

test('a port is connected to, on this machine', async (t) => {
  usePath(t, '');
  const {vscode} = await start();
  const {factory, provider} = vscode.calls.registered;
  for (const configuration of [{port: 4711, program: '/a'}, {debugServer: 4711, program: '/a'}]) {
    const resolved = provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, configuration);
    const adapter = factory.createDebugAdapterDescriptor(session(vscode, resolved));
    assert.deepEqual({port: adapter.port, host: adapter.host}, {port: 4711, host: '127.0.0.1'});
  }
  assert.deepEqual(vscode.calls.messages, []);
});

test('a socket is connected to, and goes before a port', async (t) => {
  usePath(t, '');
  const {vscode} = await start();
  const {factory, provider} = vscode.calls.registered;
  const folder = {uri: vscode.Uri.file('/project')};
  const configuration = {socket: 'run/salu.socket', port: 4711, program: '/a'};
  const resolved = provider.resolveDebugConfigurationWithSubstitutedVariables(folder, configuration);
  const adapter = factory.createDebugAdapterDescriptor(session(vscode, resolved));
  assert.ok(adapter instanceof vscode.DebugAdapterNamedPipeServer);
  assert.equal(adapter.path, '/project/run/salu.socket');
  assert.deepEqual(vscode.calls.messages, []);
});

test('without salu there is a message that leads to the setting, and no session', async (t) => {
  usePath(t, '');
  const {vscode} = await start((fake) => { fake.answer = 'Open Settings'; });
  const {factory, provider} = vscode.calls.registered;
  assert.equal(provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, {program: '/a.yaml'}), undefined);
  await new Promise(setImmediate);
  assert.match(vscode.calls.messages[0][0], /salu was not found: there is no "salu" in PATH\. .*"salu\.path"/);
  assert.deepEqual(vscode.calls.commands.at(-1), ['workbench.action.openSettings', 'salu.path']);
  assert.throws(() => factory.createDebugAdapterDescriptor(session(vscode, {})), /salu was not found/);
  vscode.settings['salu.path'] = '/no/such/salu';
  provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, {program: '/a.yaml'});
  assert.match(vscode.calls.messages[1][0], /\/no\/such\/salu is not an executable file/);
});

test('a folder or a file that cannot be executed is not salu', async (t) => {
  const folder = folderWithSalu(t);
  fs.chmodSync(path.join(folder, 'salu'), 0o644);
  fs.mkdirSync(path.join(folder, 'bin', 'salu'), {recursive: true});
  const {findProgram} = require('../lib/program');
  assert.equal(findProgram('salu', undefined, {PATH: `${folder}/bin`}), undefined);
  if (process.getuid?.() !== 0) assert.equal(findProgram('salu', undefined, {PATH: folder}), undefined);
});

test('paths of a configuration are made absolute', async (t) => {
  const folder = folderWithSalu(t);
  usePath(t, folder);
  const {vscode} = await start(inFolder('/home/user/project'));
  const resolved = vscode.calls.registered.provider.resolveDebugConfigurationWithSubstitutedVariables(
    vscode.workspace.workspaceFolders[0], {type: 'salu', program: 'programs/gcd.yaml', state: 'state.yaml', case: 3, set: ['s0=1']});
  assert.deepEqual(resolved,
    {type: 'salu', program: '/home/user/project/programs/gcd.yaml', state: '/home/user/project/state.yaml', case: 3, set: ['s0=1']});
});

test('F5 without a configuration debugs the file in the editor', async () => {
  const {vscode} = await start();
  const {provider} = vscode.calls.registered;
  assert.equal(provider.resolveDebugConfiguration(undefined, {}), null);
  for (const [name, text, language] of [['/a/gcd.yaml', scenario, 'yaml'], ['/a/b.salu.yaml', 'code: {}', 'yaml'],
    ['/a/f.s', 's_endpgm', 'gcn-asm']]) {
    vscode.window.activeTextEditor = {document: makeDocument(name, text, language)};
    assert.deepEqual(provider.resolveDebugConfiguration(undefined, {}),
      {type: 'salu', request: 'launch', name: path.basename(name), program: name, stopOnEntry: true});
  }
  vscode.window.activeTextEditor = {document: makeDocument('/a/compose.yaml', 'services: {}', 'yaml')};
  assert.equal(provider.resolveDebugConfiguration(undefined, {}), null);
});

test('a configuration without a program takes the file in the editor, or says what is missing', async () => {
  const {vscode} = await start();
  const {provider} = vscode.calls.registered;
  const configuration = {type: 'salu', request: 'launch', name: 'here', mcpu: 'gfx900'};
  assert.equal(provider.resolveDebugConfiguration(undefined, configuration), undefined);
  assert.match(vscode.calls.messages[0][0], /no "program"/);
  vscode.window.activeTextEditor = {document: makeDocument('/a/f.s', 's_endpgm', 'gcn-asm')};
  assert.deepEqual(provider.resolveDebugConfiguration(undefined, configuration), {...configuration, program: '/a/f.s'});
  const complete = {...configuration, program: '/b.yaml'};
  assert.equal(provider.resolveDebugConfiguration(undefined, complete), complete);
});

test('assembly is recognised by its target, once, and other files are left alone', async () => {
  const {vscode} = await start();
  const {open} = vscode.calls.registered;
  open(makeDocument('/a/f.s', target));
  open(makeDocument('/a/f.s', target));
  open(makeDocument('/a/x86.s', '\t.text\n\t.globl main\nmain:\n\tretq\n'));
  open(makeDocument('/a/notes.txt', target));
  open(makeDocument('/a/g.s', target, 'gcn-asm'));
  assert.deepEqual(vscode.calls.languages, [['/a/f.s', 'gcn-asm']]);
  vscode.settings['salu.detectAssembly'] = false;
  open(makeDocument('/a/h.s', target));
  assert.equal(vscode.calls.languages.length, 1);
});

test('assembly that is open already is recognised', async () => {
  const {vscode} = await start((fake) => {
    fake.workspace.textDocuments = [{fileName: '/a/f.s', languageId: 'plaintext', lineCount: 1, uri: 'file:///a/f.s',
      lineAt: () => ({text: '.amdgcn_target "amdgcn--gfx900"'})}];
  });
  assert.deepEqual(vscode.calls.languages, [['/a/f.s', 'gcn-asm']]);
});

test('scenarios are told from other YAML by what they say', async () => {
  await start();
  const {isScenario} = require('../lib/detection');
  const root = path.join(__dirname, '..', '..', '..', 'programs');
  const files = fs.readdirSync(root).filter((name) => name.endsWith('.yaml'));
  assert.ok(files.length > 20);
  for (const name of files) {
    assert.ok(isScenario(makeDocument(path.join(root, name), fs.readFileSync(path.join(root, name), 'utf8'), 'yaml')), name);
  }
  for (const text of ['services:\n  web: {}\n', 'code: 1\n', '  code:\n  expect:\n', 'target: x\nexpect: y\n', 'schema: other-v1\n']) {
    assert.ok(!isScenario(makeDocument('/a/other.yaml', text, 'yaml')), text);
  }
  assert.ok(!isScenario(makeDocument('/a/notes.txt', scenario)));
});

test('Debug File starts a session', async () => {
  const {vscode} = await start(inFolder('/home/user/project'));
  await vscode.calls.registered['salu.debugFile'](vscode.Uri.file('/home/user/project/a.yaml'));
  const [[folder, configuration]] = vscode.calls.started;
  assert.equal(folder.uri.fsPath, '/home/user/project');
  assert.equal(configuration.program, '/home/user/project/a.yaml');
  await vscode.calls.registered['salu.debugFile']();
  assert.match(vscode.calls.messages[0][0], /no file/);
});

test('Show Report shows what salu prints', async (t) => {
  const folder = folderWithSalu(t, 'echo "<html>$*</html>"; echo "rows are not run" >&2');
  usePath(t, folder);
  const {vscode} = await start(inFolder(folder));
  await vscode.calls.registered['salu.showReport'](vscode.Uri.file(path.join(folder, 'a.yaml')));
  const [panel] = vscode.calls.panels;
  assert.equal(panel.webview.html, `<html>report ${path.join(folder, 'a.yaml')} -o -</html>\n`);
  assert.equal(panel.options[3].enableScripts, true);
  assert.deepEqual(vscode.calls.messages, [['rows are not run']]);
});

test('Show Report passes on what salu complains of', async (t) => {
  const folder = folderWithSalu(t, 'echo "a.yaml:3: error: no such register" >&2; exit 3');
  usePath(t, folder);
  const {vscode} = await start(inFolder(folder));
  await vscode.calls.registered['salu.showReport'](vscode.Uri.file(path.join(folder, 'a.yaml')));
  assert.deepEqual(vscode.calls.panels, []);
  assert.deepEqual(vscode.calls.messages, [['salu report: a.yaml:3: error: no such register']]);
});

test('the YAML extension is told which files are scenarios', async () => {
  const contributors = [];
  const {vscode} = await start((fake) => {
    fake.extensions.installed['redhat.vscode-yaml'] = {
      activate: async () => ({registerContributor: (...all) => { contributors.push(all); return true; }}),
    };
  });
  const [[name, request, content]] = contributors;
  assert.equal(name, 'salu');
  vscode.workspace.textDocuments = [makeDocument('/a/gcd.yaml', scenario, 'yaml'), makeDocument('/a/compose.yaml', 'services: {}', 'yaml')];
  assert.equal(request('file:///a/compose.yaml'), undefined);
  assert.equal(request('file:///a/other.yaml'), undefined);
  assert.equal(JSON.parse(content(request('file:///a/gcd.yaml'))).title, 'Scenario of salu');
  assert.equal(content('other://schema'), undefined);
});
