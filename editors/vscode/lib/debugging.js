'use strict';

const path = require('node:path');
const vscode = require('vscode');

const {isProgram, nameOf} = require('./detection');
const {findProgram, notFound} = require('./program');

const folderPath = (folder) => folder?.uri.fsPath ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
const pathSetting = () => vscode.workspace.getConfiguration('salu').get('path', 'salu');

async function complain(message) {
  const openSettings = 'Open Settings';
  if ((await vscode.window.showErrorMessage(message, openSettings)) === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'salu.path');
  }
}

/// Returns the path of salu. Shows an error and returns undefined if it is not found.
function programOrMessage(folder) {
  const setting = pathSetting();
  const program = findProgram(setting, folderPath(folder));
  // Not awaited: the message needs no answer.
  if (program === undefined) complain(notFound(setting, folderPath(folder)));
  return program;
}

/// True if the debugger is already running, on a socket or a port.
const isServed = (configuration) => ['socket', 'port', 'debugServer'].some((key) => configuration[key] !== undefined);

class ConfigurationProvider {
  /// Fills in missing attributes. Returns undefined to cancel the launch, and null to open launch.json.
  resolveDebugConfiguration(folder, configuration) {
    const document = vscode.window.activeTextEditor?.document;
    const fits = document !== undefined && isProgram(document);
    if (!configuration.type && !configuration.request && !configuration.name) {
      // F5 without a launch.json.
      if (!fits) return null;
      return {type: 'salu', request: 'launch', name: nameOf(document.fileName), program: document.fileName, stopOnEntry: true};
    }
    if (configuration.program) return configuration;
    if (!fits) {
      vscode.window.showErrorMessage(
        'The launch configuration has no "program", and the active editor shows neither a scenario of salu nor GCN assembly.');
      return undefined;
    }
    return {...configuration, program: document.fileName};
  }

  /// Makes paths absolute, and checks that salu exists before the session starts.
  resolveDebugConfigurationWithSubstitutedVariables(folder, configuration) {
    const resolved = {...configuration};
    const from = folderPath(folder);
    for (const key of ['program', 'state', 'root', 'socket']) {
      if (typeof resolved[key] === 'string' && from !== undefined) resolved[key] = path.resolve(from, resolved[key]);
    }
    if (!isServed(resolved) && programOrMessage(folder) === undefined) return undefined;
    return resolved;
  }
}

class AdapterFactory {
  createDebugAdapterDescriptor(session) {
    const {configuration, workspaceFolder} = session;
    // The file permissions of the socket exclude other users on every system.
    if (configuration.socket !== undefined) return new vscode.DebugAdapterNamedPipeServer(configuration.socket);
    // salu only listens on ports of the local machine.
    if (isServed(configuration)) return new vscode.DebugAdapterServer(Number(configuration.port ?? configuration.debugServer), '127.0.0.1');
    const cwd = folderPath(workspaceFolder);
    const program = findProgram(pathSetting(), cwd);
    if (program === undefined) throw new Error(notFound(pathSetting(), cwd));
    return new vscode.DebugAdapterExecutable(program, ['debug', '--dap'], cwd === undefined ? undefined : {cwd});
  }
}

/// Debugs a file, or the one in the active editor.
async function debugFile(uri) {
  const file = uri?.fsPath ?? vscode.window.activeTextEditor?.document.fileName;
  if (file === undefined) {
    vscode.window.showErrorMessage('There is no file to debug.');
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file));
  await vscode.debug.startDebugging(folder, {type: 'salu', request: 'launch', name: nameOf(file), program: file, stopOnEntry: true});
}

module.exports = {AdapterFactory, ConfigurationProvider, debugFile, programOrMessage};
