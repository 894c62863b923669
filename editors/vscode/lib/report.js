'use strict';

const {execFile} = require('node:child_process');
const path = require('node:path');
const vscode = require('vscode');

const {programOrMessage} = require('./debugging');

// Well above the size of the output of `salu report`.
const mostBytes = 64 << 20;

/// Returns the output of `salu report`: {page, messages}. Rejects with its error messages.
function makeReport(program, file) {
  return new Promise((resolve, reject) => {
    const options = {cwd: path.dirname(file), maxBuffer: mostBytes};
    execFile(program, ['report', file, '-o', '-'], options, (error, page, messages) => {
      if (error === null) resolve({page, messages});
      else reject(new Error(messages.trim() || error.message));
    });
  });
}

/// Shows the run of a file, or of the active editor, as a page next to it.
async function showReport(uri) {
  const file = uri?.fsPath ?? vscode.window.activeTextEditor?.document.fileName;
  if (file === undefined) {
    vscode.window.showErrorMessage('There is no file to report on.');
    return;
  }
  const program = programOrMessage(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)));
  if (program === undefined) return;
  try {
    const progress = {location: vscode.ProgressLocation.Window, title: `salu report ${path.basename(file)}`};
    const {page, messages} = await vscode.window.withProgress(progress, () => makeReport(program, file));
    const panel = vscode.window.createWebviewPanel('salu.report', `Report: ${path.basename(file)}`, vscode.ViewColumn.Beside,
      {enableScripts: true, retainContextWhenHidden: true, localResourceRoots: []});
    panel.webview.html = page;
    if (messages.trim() !== '') vscode.window.showWarningMessage(messages.trim());
  } catch (error) {
    vscode.window.showErrorMessage(`salu report: ${error.message}`);
  }
}

module.exports = {makeReport, showReport};
