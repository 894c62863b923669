'use strict';

const Module = require('node:module');

/// A fake of the parts of the module `vscode` that the extension uses; it records the calls.
function makeVscode() {
  const calls = {messages: [], commands: [], registered: {}, languages: [], panels: [], started: []};
  const settings = {};
  const vscode = {
    calls,
    settings,
    answer: undefined,
    Uri: {file: (fsPath) => ({fsPath, toString: () => `file://${fsPath}`})},
    ViewColumn: {Beside: -2},
    ProgressLocation: {Window: 10},
    DebugAdapterServer: class {
      constructor(port, host) { Object.assign(this, {port, host}); }
    },
    DebugAdapterNamedPipeServer: class {
      constructor(path) { Object.assign(this, {path}); }
    },
    DebugAdapterExecutable: class {
      constructor(command, args, options) { Object.assign(this, {command, args, options}); }
    },
    window: {
      activeTextEditor: undefined,
      showErrorMessage: async (...message) => { calls.messages.push(message); return vscode.answer; },
      showWarningMessage: async (...message) => { calls.messages.push(message); },
      onDidChangeActiveTextEditor: (listener) => { calls.registered.editor = listener; return {}; },
      withProgress: (_, task) => task(),
      createWebviewPanel: (...options) => {
        const panel = {options, webview: {}};
        calls.panels.push(panel);
        return panel;
      },
    },
    workspace: {
      workspaceFolders: undefined,
      textDocuments: [],
      getConfiguration: (section) => ({get: (key, standard) => settings[`${section}.${key}`] ?? standard}),
      getWorkspaceFolder: () => vscode.workspace.workspaceFolders?.[0],
      onDidOpenTextDocument: (listener) => { calls.registered.open = listener; return {}; },
      onDidSaveTextDocument: (listener) => { calls.registered.save = listener; return {}; },
    },
    commands: {
      registerCommand: (name, run) => { calls.registered[name] = run; return {}; },
      executeCommand: async (...command) => { calls.commands.push(command); },
    },
    languages: {setTextDocumentLanguage: (document, language) => { calls.languages.push([document.fileName, language]); }},
    debug: {
      registerDebugConfigurationProvider: (type, provider) => { calls.registered.provider = provider; return {type}; },
      registerDebugAdapterDescriptorFactory: (type, factory) => { calls.registered.factory = factory; return {type}; },
      startDebugging: async (...session) => { calls.started.push(session); },
    },
    extensions: {installed: {}, getExtension: (id) => vscode.extensions.installed[id]},
  };
  return vscode;
}

let current;
const load = Module._load;
Module._load = function loadOrStub(request, ...rest) {
  return request === 'vscode' ? current : load.call(this, request, ...rest);
};

/// A document in an editor.
function makeDocument(fileName, text, languageId = 'plaintext') {
  const lines = text.split('\n');
  return {fileName, languageId, lineCount: lines.length, uri: current.Uri.file(fileName), lineAt: (line) => ({text: lines[line]})};
}

/// The extension, activated in a separate fake editor: {vscode, context}.
async function start(prepare = () => {}) {
  current = makeVscode();
  for (const file of Object.keys(require.cache)) {
    if (/[\\/]editors[\\/]vscode[\\/](?:lib[\\/]|extension\.js)/.test(file)) delete require.cache[file];
  }
  prepare(current);
  const path = require('node:path');
  const context = {subscriptions: [], asAbsolutePath: (name) => path.join(__dirname, '..', name)};
  await require('../extension').activate(context);
  return {vscode: current, context};
}

module.exports = {makeDocument, start};
