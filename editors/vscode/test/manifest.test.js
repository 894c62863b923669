'use strict';

const assert = require('node:assert/strict');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');

const extension = path.join(__dirname, '..');
const root = path.join(extension, '..', '..');
const manifest = require('../package.json');
const readme = fs.readFileSync(path.join(extension, 'README.md'), 'utf8');
const attributes = manifest.contributes.debuggers[0].configurationAttributes.launch.properties;

/// Runs a program that must succeed and returns its output.
function output(command, parameters, options) {
  const result = spawnSync(command, parameters, {encoding: 'utf8', ...options});
  assert.equal(result.status, 0, `${command} ${parameters.join(' ')}: ${result.error ?? ''}${result.stderr}${result.stdout}`);
  return result.stdout;
}

test('the attributes of a launch are the options of salu debug', {skip: process.env.SALU_EXECUTABLE ? false : 'no salu'}, () => {
  const help = output(process.env.SALU_EXECUTABLE, ['debug', '--help']);
  const options = [...help.matchAll(/^ +(?:-\w, )?--([a-z-]+)/gm)].map(([, name]) => name);
  // Options of the console and of the protocol.
  const others = new Set(['help', 'command', 'color', 'dap', 'port', 'socket', 'token']);
  const expected = options.filter((name) => !others.has(name)).map((name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()));
  const own = new Set(['program', 'stopOnEntry', 'noDebug', 'port', 'socket', 'token']);
  assert.deepEqual(Object.keys(attributes).filter((name) => !own.has(name)).sort(), expected.sort());
});

test('the README explains every attribute, setting and command', () => {
  for (const name of Object.keys(attributes)) assert.ok(readme.includes(`| \`${name}\` |`), name);
  for (const name of Object.keys(manifest.contributes.configuration.properties)) assert.ok(readme.includes(`\`${name}\``), name);
  for (const {title, category} of manifest.contributes.commands) assert.ok(readme.includes(`${category}: ${title}`), title);
});

test('initial configurations and snippets use attributes that there are', () => {
  const [{type, initialConfigurations, configurationSnippets}] = manifest.contributes.debuggers;
  const bodies = [...initialConfigurations, ...configurationSnippets.map((snippet) => snippet.body)];
  assert.ok(bodies.length >= 4);
  for (const body of bodies) {
    assert.equal(body.type, type);
    assert.equal(body.request, 'launch');
    for (const name of Object.keys(body)) assert.ok(['type', 'request', 'name'].includes(name) || name in attributes, name);
  }
});

test('only files whose first line says so are taken for assembly', () => {
  const [language] = manifest.contributes.languages;
  assert.ok(!language.extensions.includes('.s'));
  const firstLine = new RegExp(language.firstLine);
  assert.match('\t.amdgcn_target "amdgcn-amd-amdhsa--gfx900"', firstLine);
  assert.doesNotMatch('\t.text', firstLine);
  const word = new RegExp(require('../language-configuration.json').wordPattern, 'g');
  assert.deepEqual('s_add_u32 s0, s[2:3], 0x1f ; .Lloop'.match(word), ['s_add_u32', 's0', 's[2:3]', '0x1f', '.Lloop']);
});

const expectedFiles = [
  'LICENSE.txt', 'README.md', 'extension.js', 'language-configuration.json', 'lib/debugging.js', 'lib/detection.js', 'lib/program.js',
  'lib/report.js', 'package.json', 'schema/salu-scenario.schema.json', 'syntaxes/gcn-asm-in-yaml.tmLanguage.json',
  'syntaxes/gcn-asm.tmLanguage.json',
];

test('vsce makes a package of what belongs into it', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'salu-vsix-'));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  const vsix = path.join(folder, 'salu.vsix');
  const [, ...parameters] = manifest.scripts.package.split(' ');
  assert.ok(readme.includes(`\nnpx @vscode/vsce@2 ${parameters.join(' ')}\n`), 'the README says how');
  output(process.execPath, [require.resolve('@vscode/vsce/vsce'), ...parameters, '--out', vsix], {cwd: extension});
  output('python3', ['-m', 'zipfile', '-e', vsix, folder]);
  const files = fs.readdirSync(path.join(folder, 'extension'), {withFileTypes: true, recursive: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(folder, 'extension'), path.join(entry.parentPath ?? entry.path, entry.name)));
  const lower = (name) => name.toLowerCase();
  assert.deepEqual(files.map(lower).sort(), expectedFiles.map(lower).sort());
  // The package has copies of files that are links in the folder.
  for (const [name, original] of [['schema/salu-scenario.schema.json', 'schema/salu-scenario.schema.json'], ['LICENSE.txt', 'LICENSE']]) {
    const packed = path.join(folder, 'extension', name);
    assert.ok(fs.lstatSync(packed).isFile(), name);
    assert.equal(fs.readFileSync(packed, 'utf8'), fs.readFileSync(path.join(root, original), 'utf8'), name);
  }
  for (const {url} of [...manifest.contributes.yamlValidation, ...manifest.contributes.jsonValidation]) {
    assert.ok(fs.existsSync(path.join(folder, 'extension', url)), url);
  }
  for (const {path: file} of manifest.contributes.grammars) assert.ok(fs.existsSync(path.join(folder, 'extension', file)), file);
});

test('the packages that the tests need are named without a place to get them from', () => {
  const lock = fs.readFileSync(path.join(extension, 'package-lock.json'), 'utf8');
  assert.ok(!lock.includes('"resolved"'));
  assert.equal(manifest.dependencies, undefined);
});
