/// The playground's module under node: requests and answers are lines of JSON. The first line contains the folder of
/// the playground; the files in `put` and `texts` of a request, by path, are stored before the request.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const zlib = require('node:zlib');

let salu = null;
readline.createInterface({input: process.stdin}).on('line', (line) => {
  const question = JSON.parse(line);
  if (salu === null) {
    const {makeSalu} = require(path.join(question.playground, 'salu.js'));
    const packed = /'([^']+)'/.exec(fs.readFileSync(path.join(question.playground, 'module.js'), 'utf8'))[1];
    const bytes = zlib.gunzipSync(Buffer.from(packed, 'base64'));
    salu = makeSalu(new WebAssembly.Module(bytes), (text) => process.stderr.write(text));
    process.stdout.write(`${JSON.stringify({node: process.version, bytes: bytes.length})}\n`);
    return;
  }
  for (const name of question.put ?? []) salu.put(name, fs.readFileSync(path.join(question.root, name)));
  for (const [name, text] of Object.entries(question.texts ?? {})) salu.put(name, text);
  const began = process.cpuUsage();
  const answer = question.ask === undefined ? {} : salu.ask(question);
  const {user, system} = process.cpuUsage(began);
  process.stdout.write(`${JSON.stringify({...answer, seconds: (user + system) / 1e6})}\n`);
});
