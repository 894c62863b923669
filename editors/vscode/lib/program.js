'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/// Replaces the variables of a setting: ~ at the start, ${workspaceFolder}, ${userHome}, ${env:NAME}. Values are inserted literally, even
/// if they contain `$&` or `${userHome}`.
function expand(setting, folder, environment = process.env) {
  return setting.replace(/^~(?=$|[\\/])|\$\{(?:userHome|workspaceFolder|env:(\w+))\}/g, (text, name) => {
    if (name !== undefined) return environment[name] ?? '';
    return text === '${workspaceFolder}' ? folder ?? '' : os.homedir();
  });
}

/// Returns the path of the program in the setting `salu.path`, or undefined. `folder` is the workspace folder, if any.
function findProgram(setting, folder, environment = process.env) {
  const name = expand(setting, folder, environment);
  if (name === '') return undefined;
  const suffixes = process.platform === 'win32' ? ['', '.exe'] : [''];
  const isPath = /[\\/]/.test(name);
  const folders = isPath ? [folder ?? process.cwd()] : (environment.PATH ?? '').split(path.delimiter).filter((part) => part !== '');
  for (const place of folders) {
    for (const suffix of suffixes) {
      const file = path.resolve(place, name + suffix);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/// Returns the error message for a `salu.path` that does not exist.
function notFound(setting, folder) {
  const name = expand(setting, folder);
  const where = /[\\/]/.test(name) ? `${path.resolve(folder ?? process.cwd(), name)} is not an executable file` : `there is no "${name}" in PATH`;
  return `salu was not found: ${where}. Set "salu.path" to its path.`;
}

module.exports = {expand, findProgram, notFound};
