'use strict';

const fs = require('node:fs');
const vscode = require('vscode');

const {AdapterFactory, ConfigurationProvider, debugFile} = require('./lib/debugging');
const {isGcnAssembly, isScenario} = require('./lib/detection');
const {showReport} = require('./lib/report');

const schemaUri = 'salu://schema/salu-scenario';

/// Sets the language of a document once, so that the user can choose another one afterwards.
function detectAssembly(document, seen) {
  const key = document.uri.toString();
  if (document.languageId === 'gcn-asm' || seen.has(key) || !isGcnAssembly(document)) return;
  if (!vscode.workspace.getConfiguration('salu').get('detectAssembly', true)) return;
  seen.add(key);
  vscode.languages.setTextDocumentLanguage(document, 'gcn-asm');
}

/// Updates the buttons above an editor.
function updateContext(editor) {
  vscode.commands.executeCommand('setContext', 'salu.isScenario', editor !== undefined && isScenario(editor.document));
}

/// Registers scenario files other than *.salu.yaml with Red Hat's YAML extension, if it is installed.
async function contributeSchema(context) {
  const yaml = vscode.extensions.getExtension('redhat.vscode-yaml');
  if (yaml === undefined) return;
  const api = await yaml.activate();
  const schema = () => fs.readFileSync(context.asAbsolutePath('schema/salu-scenario.schema.json'), 'utf8');
  const request = (uri) => {
    const document = vscode.workspace.textDocuments.find((other) => other.uri.toString() === uri);
    return document !== undefined && isScenario(document) ? schemaUri : undefined;
  };
  api?.registerContributor?.('salu', request, (uri) => (uri === schemaUri ? schema() : undefined));
}

function activate(context) {
  const seen = new Set();
  const detect = (document) => detectAssembly(document, seen);
  context.subscriptions.push(
    vscode.debug.registerDebugConfigurationProvider('salu', new ConfigurationProvider()),
    vscode.debug.registerDebugAdapterDescriptorFactory('salu', new AdapterFactory()),
    vscode.commands.registerCommand('salu.debugFile', debugFile),
    vscode.commands.registerCommand('salu.showReport', showReport),
    vscode.workspace.onDidOpenTextDocument(detect),
    vscode.window.onDidChangeActiveTextEditor(updateContext),
    vscode.workspace.onDidSaveTextDocument(() => updateContext(vscode.window.activeTextEditor)));
  vscode.workspace.textDocuments.forEach(detect);
  updateContext(vscode.window.activeTextEditor);
  return contributeSchema(context);
}

module.exports = {activate};
