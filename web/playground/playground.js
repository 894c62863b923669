/// The page: editors, buttons and panels around the worker. Output of programs is always set as text.
const byId = (id) => document.getElementById(id);
function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
const plural = (count, word) => `${Number(count).toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

// A longer run is only drawn on request, because drawing examines each of its instructions.
const mostDrawnSteps = 2_000_000;
const files = new Map(Object.entries(saluExamples.files).map(([path, contents]) => [
  path, typeof contents === 'string' ? contents : Uint8Array.from(atob(contents.base64), (c) => c.charCodeAt(0))]));

let client = null;
let words = {mnemonics: [], registers: [], sgprs: 0, keys: saluExamples.keys};
const panes = {a: {file: 'program.yaml'}, b: {file: 'second.yaml', text: ''}};
let documents = [];
let walks = false; // a run can be stepped through
let isStale = false; // the results are of an older text or other settings
let edits = 0; // number of changes: answers about an older text are dropped
let shownStep = 0;
let problems = [];
let pictureUrl = '';

// ---- messages ----

function say(text, kind = '') {
  byId('status').textContent = text;
  byId('status').className = kind;
}
function complain(text) {
  byId('message').textContent = text;
  byId('message').hidden = text === '';
}

// ---- editors ----

/// True for a scenario or an empty text. Assembly does not contain keys of a scenario at the start of a line.
const isScenario = (text) => /^(?:schema|name|target|code|kernel|registers|cases|expect|"?\w+"?):(?:\s|$)/m.test(text.replace(/^\s*[\w.$]+:\s*$/gm, '')) || text.trim() === '';
function fileOf(pane, text) {
  const ending = isScenario(text) ? '.yaml' : '.s';
  return /\.(?:yaml|yml|s)$/.test(pane.file) && pane.file.endsWith(ending) ? pane.file : pane.file.replace(/\.\w+$/, '') + ending;
}
function storeTexts() {
  for (const [id, pane] of Object.entries(panes)) {
    const text = pane.editor.text();
    pane.file = fileOf(pane, text);
    if (id === 'b' && byId('pane-b').hidden) continue;
    if (client.files.get(pane.file) !== text) client.put(pane.file, text);
  }
}
const needsTarget = () => panes.a.file.endsWith('.s') || (!byId('pane-b').hidden && panes.b.file.endsWith('.s'));
const target = () => byId('target').value || (needsTarget() ? 'gfx900' : '');
const options = () => ({file: panes.a.file, target: target(),
  document: documents.length > 1 ? byId('document').value : '', case: byId('case').value.trim()});

function makePane(id, label) {
  const pane = panes[id];
  let due = 0;
  pane.editor = saluEditor.makeEditor(byId(`editor-${id}`), {
    label,
    words: () => words,
    refused: complain,
    changed() {
      ++edits;
      outdate();
      clearTimeout(due);
      due = setTimeout(() => {
        check();
        keep();
      }, 250);
    },
    breakpointsChanged() {
      if (id === 'a' && walks) setBreakpoints();
    },
  });
}
function setPane(id, text, file) {
  panes[id].file = file;
  panes[id].file = fileOf(panes[id], text);
  panes[id].editor.setText(text, panes[id].file.endsWith('.yaml'));
  byId(`name-${id}`).textContent = panes[id].file;
}

// ---- results ----

const hasResults = () => byId('where').textContent !== '' || byId('result').textContent !== '' || !byId('picture').hidden;
/// Marks the results as out of date, and ends stepping.
function outdate() {
  if (walks) panes.a.editor.showHere(0);
  walks = false;
  if (hasResults() && !isStale) {
    isStale = true;
    say('The text or a setting has changed since this run.');
  }
  showStale();
  showButtons();
}
/// Removes results that are out of date.
function removeStale() {
  if (!isStale) return;
  isStale = false;
  showStale();
  for (const id of ['where', 'result', 'why', 'printed', 'status']) byId(id).textContent = '';
  for (const id of ['registers', 'vectors', 'why-links']) byId(id).replaceChildren();
  byId('vectors').tabIndex = -1;
  byId('draw').hidden = true;
  byId('picture').hidden = true;
  byId('picture').removeAttribute('src');
  byId('picture-text').hidden = false;
  byId('picture-text').textContent = 'Press Run to show the run here: lanes over time, forks, counts, registers.';
}
function showStale() {
  byId('stale').hidden = !isStale;
  byId('results').classList.toggle('is-stale', isStale);
}

/// Checks the texts: shows errors in the gutters, and lists the scenarios of the first text.
async function check() {
  if (client === null) return;
  const now = edits;
  storeTexts();
  for (const [id, pane] of Object.entries(panes)) {
    pane.editor.setYaml(pane.file.endsWith('.yaml'));
    byId(`name-${id}`).textContent = pane.file;
    if (id === 'b' && byId('pane-b').hidden) continue;
    const answer = await client.ask({ask: 'check', file: pane.file, target: target()});
    if (now !== edits || answer.lost) return;
    const found = answer.problems ?? [];
    pane.editor.showProblems(found.filter((problem) => problem.file === pane.file || problem.file === ''));
    if (id !== 'a') continue;
    problems = found;
    documents = answer.documents ?? [];
    showDocuments();
  }
}
function showDocuments() {
  const select = byId('document');
  const kept = select.value;
  select.replaceChildren(...documents.map((scenario, i) =>
    new Option(`${i + 1}: ${scenario.name ?? 'cannot be read'}`, String(i + 1))));
  select.value = Number(kept) <= documents.length && kept !== '' ? kept : '1';
  byId('document-label').hidden = documents.length < 2;
  const rows = documents[Number(select.value || 1) - 1]?.rows ?? 0;
  byId('case-label').hidden = rows === 0;
  if (rows === 0) byId('case').value = '';
  byId('case').title = rows === 0 ? '' : `a row of the table, 1 to ${rows}, or its name; empty: the scenario itself`;
}

// ---- runs ----

/// Returns the answer, or null after an error, which has been shown.
async function ask(question) {
  const answer = await client.ask(question);
  if (answer.lost) walks = false;
  if (answer.error === undefined) return answer;
  complain(answer.error);
  say(answer.lost ? answer.error : 'There is an error.', 'bad');
  if (answer.problems) panes.a.editor.showProblems(answer.problems.filter(({file}) => file === panes.a.file || file === ''));
  showButtons();
  return null;
}

async function run() {
  complain('');
  removeStale();
  storeTexts();
  const now = edits;
  await check();
  const began = performance.now();
  const answer = await ask({ask: 'run', ...options()});
  if (answer === null) return;
  const milliseconds = performance.now() - began;
  byId('result').textContent = answer.text;
  if (now !== edits) return outdate();
  const failed = answer.mismatches > 0 || answer.fault;
  const verdict = !answer.expects ? '' : answer.mismatches === 0 ? ', as expected' : `, ${plural(answer.mismatches, 'expectation')} failed`;
  if (!await begin()) return;
  say(`${answer.stop} after ${plural(answer.steps, 'step')}${verdict} (${milliseconds.toFixed(0)} ms)`, failed ? 'bad' : 'good');
  byId('draw').hidden = answer.steps <= mostDrawnSteps;
  byId('picture').hidden = true;
  byId('picture-text').hidden = false;
  byId('picture-text').textContent = answer.steps <= mostDrawnSteps ? 'The picture is being drawn.' : `The run has ${plural(answer.steps, 'step')}: drawing it takes a while.`;
  if (answer.steps <= mostDrawnSteps) await draw();
}
async function draw() {
  const now = edits;
  const answer = await ask({ask: 'page', ...options()});
  if (answer === null) return;
  if (pictureUrl) URL.revokeObjectURL(pictureUrl);
  pictureUrl = URL.createObjectURL(new Blob([answer.page], {type: 'text/html'}));
  byId('draw').hidden = true;
  byId('picture-text').hidden = true;
  byId('picture').hidden = false;
  // A separate origin, which can reach this page only by messages.
  byId('picture').src = pictureUrl;
  if (now !== edits) outdate();
}

/// Moves to the start of a run.
async function begin() {
  removeStale();
  storeTexts();
  const now = edits;
  const state = await ask({ask: 'walk', ...options()});
  walks = state !== null && now === edits;
  if (!walks) return false;
  byId('printed').textContent = '';
  await setBreakpoints();
  if (now !== edits) return false;
  show(state);
  return true;
}
async function setBreakpoints() {
  await client.ask({ask: 'command', line: 'delete'});
  for (const line of panes.a.editor.breakpoints()) {
    const answer = await client.ask({ask: 'command', line: `break ${panes.a.file}:${line}`});
    if (answer.good === false) say(answer.text.trim(), 'bad');
  }
}
async function command(line, prints = false) {
  complain('');
  if (!walks && !await begin()) return;
  const now = edits;
  const state = await ask({ask: 'command', line});
  if (state === null || now !== edits) return;
  const text = `(salu) ${line}\n${state.text}`;
  byId('printed').textContent = (byId('printed').textContent + text).slice(-200_000);
  byId('printed').scrollTop = byId('printed').scrollHeight;
  if (!prints) say(state.good ? `step ${state.position}${state.ended ? `: ${state.stop.reason}${state.stop.detail ? `, ${state.stop.detail}` : ''}` : ''}` : state.text.trim(), state.good ? '' : 'bad');
  show(state);
  followPicture(state);
}

function show(state) {
  shownStep = state.position;
  byId('where').textContent = `${state.ended ? 'ended' : 'next'}: ${state.place}  ${state.instruction}`;
  byId('registers').replaceChildren(...state.registers.map(({name, value, defined, changed}) => {
    const button = element('button', [changed && 'changed', !defined && 'undefined', value.length > 8 && 'wide'].filter(Boolean).join(' '));
    button.type = 'button';
    button.append(element('span', 'register-name', name), element('span', '', defined ? value : '–'));
    button.title = `${name} = 0x${value}, ${BigInt(`0x${value}`)}${defined ? '' : ', never set'}${changed ? ', changed' : ''}: why?`;
    button.addEventListener('click', () => why(name));
    return button;
  }));
  const rows = state.vectors.map(({name, lanes, defined, changed}) => {
    const row = element('tr', changed ? 'changed' : '');
    row.append(element('th', '', name), ...lanes.map((lane, i) =>
      element('td', '', (BigInt(`0x${defined}`) >> BigInt(i)) & 1n ? lane : '–')));
    return row;
  });
  const table = element('table');
  table.append(...rows);
  byId('vectors').replaceChildren(...(rows.length === 0 ? [] : [table]));
  byId('vectors').tabIndex = rows.length === 0 ? -1 : 0;
  panes.a.editor.showHere(state.file === panes.a.file ? state.line : 0);
  showButtons();
}
async function why(place) {
  const answer = await ask({ask: 'why', place});
  if (answer === null) return;
  byId('why').textContent = answer.text;
  byId('why-links').replaceChildren(...answer.links.map(({step, text}) => {
    const button = element('button', '', `step ${step}: ${text}`);
    button.type = 'button';
    // Before the instruction.
    button.addEventListener('click', () => command(`goto ${step - 1}`));
    return button;
  }));
  choose('why');
}
async function testAll() {
  complain('');
  removeStale();
  storeTexts();
  const now = edits;
  const answer = await ask({ask: 'test', files: [panes.a.file], target: target(), verbose: true});
  if (answer === null) return;
  byId('result').textContent = answer.text;
  say(answer.good ? 'All expectations hold.' : 'Some expectations failed.', answer.good ? 'good' : 'bad');
  choose('result');
  if (now !== edits) outdate();
}
async function compareBoth() {
  complain('');
  removeStale();
  storeTexts();
  const now = edits;
  const list = (id) => byId(id).value.split(/[,\s]+/).filter((part) => part !== '');
  const answer = await ask({ask: 'equiv', a: panes.a.file, b: panes.b.file, target: target(), inputs: list('inputs'),
    outputs: list('outputs')});
  if (answer === null) return;
  byId('result').textContent = answer.reproducer ? `${answer.text}\n${answer.reproducer}` : answer.text;
  const verdicts = {equal: 'equal on all inputs tried', different: 'different', nothing_compared: 'nothing could be compared', incomplete: 'not everything could be compared'};
  say(`${verdicts[answer.verdict]}, ${plural(answer.states, 'input')}`, answer.verdict === 'equal' ? 'good' : 'bad');
  choose('result');
  if (now !== edits) outdate();
}

// ---- the picture ----

function followPicture(state) {
  byId('picture').contentWindow?.postMessage({step: state.ended ? 'end' : state.position + 1}, '*');
}
addEventListener('message', (event) => {
  if (event.source !== byId('picture').contentWindow || !Number.isInteger(event.data?.step)) return;
  // Step n of the picture is executed next at position n - 1.
  if (walks && !isStale && event.data.chosen && event.data.step - 1 !== shownStep) command(`goto ${event.data.step - 1}`);
});

// ---- buttons, tabs, keys ----

const moves = {
  restart: () => begin(),
  'go-back': () => command('reverse-continue'),
  'step-back': () => command('reverse-stepi'),
  step: () => command('stepi'),
  'go-on': () => command('continue'),
};
function showButtons() {
  for (const id of ['run', 'step', 'go-on', 'test', 'share', 'equiv-run']) byId(id).disabled = client === null;
  for (const id of ['restart', 'go-back', 'step-back']) byId(id).disabled = !walks || shownStep === 0;
  byId('test').hidden = !panes.a.file.endsWith('.yaml');
}
const tabs = ['picture', 'result', 'why', 'console'];
function choose(name) {
  for (const tab of tabs) {
    const isChosen = tab === name;
    byId(`tab-${tab}`).setAttribute('aria-selected', String(isChosen));
    byId(`tab-${tab}`).tabIndex = isChosen ? 0 : -1;
    byId(`panel-${tab}`).hidden = !isChosen;
  }
}
for (const [i, tab] of tabs.entries()) {
  byId(`tab-${tab}`).addEventListener('click', () => choose(tab));
  byId(`tab-${tab}`).addEventListener('keydown', (event) => {
    const way = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const next = tabs[(i + way + tabs.length) % tabs.length];
    choose(next);
    byId(`tab-${next}`).focus();
  });
}
for (const [id, act] of Object.entries(moves)) byId(id).addEventListener('click', act);
byId('run').addEventListener('click', run);
byId('draw').addEventListener('click', draw);
byId('test').addEventListener('click', testAll);
byId('breakpoint').addEventListener('click', () => panes.a.editor.toggle());
byId('stop').addEventListener('click', stop);
byId('document').addEventListener('change', () => {
  ++edits;
  showDocuments();
  outdate();
  check();
});
byId('case').addEventListener('change', () => {
  ++edits;
  outdate();
  check();
});
byId('target').addEventListener('change', () => {
  ++edits;
  outdate();
  loadWords();
  check();
  keep();
});
byId('equiv').addEventListener('submit', (event) => {
  event.preventDefault();
  compareBoth();
});
byId('console').addEventListener('submit', (event) => {
  event.preventDefault();
  command(byId('command').value, true);
  byId('command').value = '';
});
byId('command').addEventListener('input', async () => {
  if (!walks) return;
  const answer = await client.ask({ask: 'complete', line: byId('command').value});
  const start = byId('command').value.replace(/\S*$/, '');
  byId('words').replaceChildren(...(answer.words ?? []).slice(0, 50).map((word) => new Option('', start + word)));
});
function setCompare(shown) {
  if (byId('pane-b').hidden === shown) setTimeout(keep);
  byId('pane-b').hidden = !shown;
  byId('compare').setAttribute('aria-pressed', String(shown));
}
byId('compare').addEventListener('click', () => {
  setCompare(byId('pane-b').hidden);
  if (!byId('pane-b').hidden && panes.b.editor.text() === '') setPane('b', panes.a.editor.text(), `second${/\.\w+$/.exec(panes.a.file)[0]}`);
  check();
});
document.addEventListener('keydown', (event) => {
  const chord = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.shiftKey ? 'Shift+' : ''}${event.key}`;
  const act = {'Ctrl+Enter': run, F10: moves.step, 'Shift+F10': moves['step-back'], F8: moves['go-on'], 'Shift+F8': moves['go-back'],
    F9: () => panes.a.editor.toggle(), Escape: byId('stop').hidden ? undefined : stop}[chord];
  if (act === undefined || client === null) return;
  event.preventDefault();
  act();
}, {capture: true});

function stop() {
  client.restart('Stopped.');
  walks = false;
  showButtons();
}
/// Shows the stop button only for requests that take some time.
let busyTimer = null;
function showBusy(isBusy) {
  if (isBusy && busyTimer !== null) return;
  clearTimeout(busyTimer);
  busyTimer = null;
  if (isBusy) {
    busyTimer = setTimeout(() => {
      byId('stop').hidden = false;
      byId('busy').hidden = false;
    }, 150);
  } else {
    byId('stop').hidden = true;
    byId('busy').hidden = true;
  }
}

const themes = ['auto', 'light', 'dark'];
byId('theme').addEventListener('click', () => {
  const theme = themes[(themes.indexOf(document.documentElement.dataset.theme ?? 'auto') + 1) % themes.length];
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  byId('picture').contentWindow?.postMessage({theme}, '*');
});
byId('picture').addEventListener('load', () => {
  byId('picture').contentWindow.postMessage({theme: document.documentElement.dataset.theme ?? 'auto'}, '*');
});

// ---- files that are dropped ----

const mostFileBytes = 64 << 20;
async function take(dropped) {
  if (dropped.size > mostFileBytes) return complain(`${dropped.name}: ${Math.ceil(dropped.size / 1e6)} MB exceed the limit of 64 MiB`);
  const bytes = new Uint8Array(await dropped.arrayBuffer());
  const name = dropped.name.replace(/[^\w.+-]/g, '_');
  const isElf = bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
  complain('');
  if (/\.(?:yaml|yml|s)$/i.test(name) && !isElf) keepOwn();
  if (/\.(?:yaml|yml|s)$/i.test(name) && !isElf) return setPane('a', new TextDecoder().decode(bytes), name);
  client.put(name, bytes);
  if (!isElf) return say(`${name} is here: a scenario can name it`);
  const answer = await client.ask({ask: 'check', file: name, target: byId('target').value});
  if (answer.documents?.[0]?.error) {
    complain(answer.documents[0].error);
    return say(`${name} cannot be read.`, 'bad');
  }
  keepOwn();
  setPane('a', `name: ${name}\ncode:\n  file: ${name}\n  # symbol: the function to run, if not the first\nregisters: {s0: 0, s1: 0}\n`, `${name.replace(/\.\w+$/, '')}.yaml`);
  return say(`Loaded ${name} (${answer.documents?.[0]?.target ?? 'unknown target'}).`, 'good');
}
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('drops');
});
addEventListener('dragleave', () => document.body.classList.remove('drops'));
addEventListener('drop', async (event) => {
  event.preventDefault();
  document.body.classList.remove('drops');
  for (const dropped of event.dataTransfer?.files ?? []) await take(dropped);
});

// ---- stored texts ----

const storageKey = 'salu-playground';
/// Calls a function of the browser's storage. Without storage, nothing is kept.
function withStorage(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}
/// Examples are not stored, because a later version may differ.
const isOwn = (pane) => pane.editor.text().trim() !== '' && pane.editor.text() !== files.get(pane.file);
function stateNow() {
  const paneState = (pane) => ({file: pane.file, ...(isOwn(pane) ? {text: pane.editor.text()} : {})});
  return {a: paneState(panes.a), ...(byId('pane-b').hidden ? {} : {b: paneState(panes.b)}), target: byId('target').value,
    inputs: byId('inputs').value, outputs: byId('outputs').value, example: byId('example').value, hash: location.hash};
}
/// Stores the texts for the next visit.
function keep() {
  if (client !== null) withStorage((storage) => storage.setItem(storageKey, JSON.stringify(stateNow())));
}
addEventListener('pagehide', () => keep());
/// Returns the stored state, or null if it is missing or damaged.
function keptState() {
  return withStorage((storage) => {
    const state = JSON.parse(storage.getItem(storageKey) ?? 'null');
    const isPane = (pane) => typeof pane?.file === 'string' && (typeof pane.text === 'string' || typeof files.get(pane.file) === 'string');
    return state !== null && isPane(state.a) && (state.b === undefined || isPane(state.b)) ? state : null;
  });
}
function useState(state) {
  byId('target').value = state.target ?? '';
  if (byId('target').selectedIndex < 0) byId('target').value = '';
  if (saluExamples.list.some(({path}) => path === state.example)) byId('example').value = state.example;
  setPane('a', state.a.text ?? files.get(state.a.file), state.a.file);
  setCompare(state.b !== undefined);
  if (state.b !== undefined) setPane('b', state.b.text ?? files.get(state.b.file), state.b.file);
  byId('inputs').value = state.inputs ?? '';
  byId('outputs').value = state.outputs ?? '';
}

/// The state with the user's text that something else has replaced.
let replaced = null;
function keepOwn(state = stateNow()) {
  if (state.a.text === undefined && state.b?.text === undefined) return;
  replaced = state;
  byId('bring-back').hidden = false;
}
byId('bring-back').addEventListener('click', () => {
  const state = replaced;
  replaced = null;
  byId('bring-back').hidden = true;
  // The replaced text can be restored in turn, if it is the user's own.
  keepOwn();
  useState(state);
});

// ---- share ----

byId('share').addEventListener('click', async () => {
  const both = !byId('pane-b').hidden;
  location.hash = await share.pack({text: panes.a.editor.text(), file: panes.a.file, target: byId('target').value,
    ...(both ? {other: panes.b.editor.text(), otherFile: panes.b.file, inputs: byId('inputs').value, outputs: byId('outputs').value} : {})});
  let copied = '';
  try {
    await navigator.clipboard.writeText(location.href);
    copied = ', and on the clipboard';
  } catch {
    // Pages opened from files cannot change the address.
  }
  say(`The address of this page now contains the programs${copied} (${plural(location.href.length, 'character')}).`, 'good');
});
async function openAddress() {
  if (location.hash === '' || location.hash === '#') return false;
  try {
    const state = await share.unpack(location.hash);
    if (state === null) throw new Error('it does not begin with #play=');
    byId('target').value = state.target;
    if (byId('target').selectedIndex < 0) byId('target').value = '';
    setPane('a', state.text, state.file || 'program.yaml');
    setCompare(state.other !== '');
    if (state.other !== '') setPane('b', state.other, state.otherFile || 'second.yaml');
    byId('inputs').value = state.inputs;
    byId('outputs').value = state.outputs;
    return true;
  } catch (error) {
    complain(`This link is damaged: ${error.message}`);
    return false;
  }
}
addEventListener('hashchange', async () => {
  const packed = location.hash;
  // The link was made by the button of this page: its programs are already loaded.
  const state = await share.unpack(packed).catch(() => null);
  if (state?.text !== panes.a.editor.text()) {
    keepOwn();
    await openAddress();
  }
  keep();
});

// ---- examples, and the beginning ----

async function loadWords() {
  const answer = await client.ask({ask: 'words', target: target() || documents[0]?.target || 'gfx900'});
  if (answer.mnemonics) words = {...answer, keys: saluExamples.keys};
}
byId('example').addEventListener('change', () => {
  const path = byId('example').value;
  const {pair} = saluExamples.list.find((example) => example.path === path);
  complain('');
  keepOwn();
  byId('target').value = pair ? 'gfx900' : ''; // also empty while the list of targets is loading
  setPane('a', files.get(path), path);
  setCompare(pair !== undefined);
  if (pair) {
    setPane('b', files.get(pair), pair);
    byId('outputs').value = 's0';
  }
  say(replaced === null ? '' : '“Back to my text” restores your own text.');
});

/// Called by module.js with the WebAssembly module, compressed with gzip, in base64.
async function startPlayground(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const unpacked = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
  const module = await WebAssembly.compile(await unpacked.arrayBuffer());
  client = new Client(module, files, showBusy);
  const {targets} = await client.ask({ask: 'targets'});
  byId('target').append(new Option('as in the text', ''), ...targets.map(({name, generation}) => new Option(name === generation ? name : `${name} (${generation})`, name)));
  // From here on everything works; colours and texts were shown before.
  performance.mark('salu-ready');
  byId('target').value = '';
  showButtons();
  // A text edited after opening a link is newer than the text in the link.
  const state = keptState();
  const isOfHere = state !== null && (location.hash.length < 2 || state.hash === location.hash);
  if (isOfHere) useState(state);
  else if (await openAddress() && state !== null) keepOwn(state);
  await check();
  await loadWords();
  document.documentElement.dataset.ready = 'true';
}
byId('example').append(...saluExamples.list.map(({path, name}) => new Option(name, path)));
byId('example').value = saluExamples.list.some(({path}) => path === 'programs/fork_join.yaml') ? 'programs/fork_join.yaml' : saluExamples.list[0].path;
makePane('a', 'Program');
makePane('b', 'Second program');
byId('example').dispatchEvent(new Event('change'));
showButtons();
