// One selected column and one under the pointer; everything else follows from them.
let selected = 0;
let hovered = null;

byId('name').textContent = data.name;
byId('meta').textContent = `${data.file} · ${data.target} · ${plural(data.steps, 'step')}`;
byId('outcome').append(
  element('span', `badge ${data.stop.kind}`, data.stop.reason),
  ` at ${data.stop.place}${data.stop.instruction ? `: ${data.stop.instruction}` : ''}`,
  data.stop.detail ? `. ${data.stop.detail}` : '',
  data.skipped_vector ? `. ${plural(data.skipped_vector, 'vector instruction')} skipped` : '',
  data.warnings.length ? `. ${plural(data.warnings.length, 'warning')}` : '');
byId('summarised').hidden = data.summarised.length === 0;
for (const sentence of data.summarised) byId('summarised').querySelector('ul').append(element('li', '', sentence));

byId('guess').hidden = timeline.lost !== true;

const slider = byId('timeline');
slider.setAttribute('aria-valuemin', String(timeline.first));
slider.setAttribute('aria-valuemax', String(timeline.first + timeline.steps));
byId('lane-axis').style.height = `${64 * laneHeight}px`;
[0, 16, 32, 48, 63].forEach((lane, i) => {
  byId('lane-axis').children[i].style.top = `${(lane + 0.5) * laneHeight}px`;
});
for (let lane = 0; lane < 64; ++lane) byId('lanes-now').append(element('i'));

addPlot(slider, placeTop + placeHeight, drawTimeline);
const selectStep = (step) => {
  const column = columnOf(step);
  if (column !== null) select(column);
};
const listing = makeListing((line) => {
  const column = data.program[line].count ? nextColumnWith(line, selected >= end ? 0 : selected + 1) : null;
  if (column !== null) select(column);
});
const forks = makeForks((item) => selectStep(item.step));
const waves = makeWaves();
const finals = makeFinal((item) => {
  const columns = item.registers.map(lastWriteOf).filter((column) => column !== null);
  if (columns.length !== 0) select(Math.max(...columns));
});
makeWarnings((item) => selectStep(item.step));

// ---- selection ----

function select(column) {
  selected = Math.max(0, Math.min(end, column));
  // What is selected stays in sight.
  if (selected < view.from || selected + 1 > view.to) look(selected - (view.to - view.from) / 2);
  mark();
  reveal(listing, 'is-now');
  reveal(forks, 'is-now');
  const url = `#step=${selected >= end ? 'end' : firstStepOf(selected)}`;
  if (location.hash !== url) history.replaceState(null, '', url);
}

/// Shows so many columns from one on, as far as there are so many.
function look(from, size = view.to - view.from) {
  view.from = Math.max(0, Math.min(end + 1 - size, from));
  view.to = view.from + size;
  const pan = byId('pan');
  pan.hidden = size >= end + 1;
  pan.max = String(end + 1 - size);
  pan.value = String(view.from);
  drawAll();
}

/// Scrolls a list, not the page, to its first item of a class.
function reveal(items, className) {
  const item = items.find(({element: row}) => row.classList.contains(className));
  if (!item) return;
  const row = item.element;
  const box = row.parentElement;
  if (row.offsetTop < box.scrollTop || row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = row.offsetTop - box.clientHeight / 2;
  }
}

function hover(column) {
  if (column === hovered) return;
  hovered = column;
  mark();
}

function describe(column) {
  const lines = linesAt(column);
  if (lines.length === 0) return data.stop.instruction ? `stopped at ${data.stop.instruction}` : 'stopped';
  const name = (line) => data.program[line]?.text ?? 'an instruction that is not listed';
  return isExact ? name(lines[0][0]) : lines.map(([line, count]) => `${name(line)} ×${grouped(count)}`).slice(0, 4).join(', ');
}

function showNow() {
  const lanes = lanesAt(selected);
  const [least, most] = stackAt(selected);
  const stack = least === most ? `CSP ${least}` : `CSP ${least} to ${most}`;
  byId('where').textContent = `${whereText(selected)} · ${laneCount(lanes)} · ${stack}`;
  const now = byId('now');
  now.replaceChildren(element('span', 'text', describe(selected)));
  if (isExact && selected < end) {
    const line = data.program[timeline.instructions[selected]];
    if (line) now.prepend(`${line.pc}${line.labels ? ` (${line.labels[0]})` : ''}: `);
    const [reads, writes, note] = [timeline.reads[selected], timeline.writes[selected], timeline.notes[selected]];
    if (reads) now.append(`  ${reads}`);
    if (writes) now.append(' → ', element('span', 'writes', writes));
    if (note) now.append('  ', element('span', 'note', note));
  }
  [...byId('lanes-now').children].forEach((cell, lane) => {
    const bit = BigInt(lane);
    cell.className = (lanes.all >> bit) & 1n ? 'on' : (lanes.any >> bit) & 1n ? 'some' : '';
  });
  byId('lanes-now').setAttribute('aria-label', `Lanes that are on: ${laneText(lanes.any)}`);
  slider.setAttribute('aria-valuenow', String(selected >= end ? timeline.first + timeline.steps : firstStepOf(selected)));
  slider.setAttribute('aria-valuetext', `${whereText(selected)}: ${describe(selected)}, ${laneCount(lanes)}, ${stack}`);
  byId('first').disabled = byId('previous').disabled = selected === 0;
  byId('last').disabled = byId('next').disabled = selected === end;
}

function showHint() {
  byId('hint').textContent = hovered === null ? '' : `${whereText(hovered)}: ${describe(hovered)}, ${laneCount(lanesAt(hovered))}`;
}

/// Everything that belongs to the selected and to the hovered column.
function mark() {
  showNow();
  showHint();
  for (const plot of plots) {
    placeCursor(plot, 'selected', selected, selected + 1);
    if (hovered === null) plot.cursors.hover.hidden = true;
    else placeCursor(plot, 'hover', hovered + 0.5, hovered + 0.5);
  }
  const now = new Set(linesAt(selected).map(([line]) => line));
  const below = new Set(hovered === null ? [] : linesAt(hovered).map(([line]) => line));
  // Where the run stopped is what the end is about.
  if (selected >= end) data.program.forEach((line, i) => line.pc === data.stop.pc && now.add(i));
  for (const item of listing) {
    const isNow = now.has(item.index);
    setClass(item, isNow && (isExact || selected >= end), 'is-now');
    setClass(item, isNow && !isExact && selected < end, 'is-part');
    setClass(item, below.has(item.index), 'hovered');
  }
  const steps = selected >= end ? null : [firstStepOf(selected), lastStepOf(selected)];
  for (const item of forks) {
    setClass(item, steps !== null && item.step > 0 && item.step <= steps[1] && item.last >= steps[0], 'is-now');
  }
  const column = hovered ?? selected;
  const written = new Set();
  for (const {element: row, register, value} of waves) {
    const {value: found, undefined: isUndefined, left, writes} = registerAt(register, column);
    value.replaceChildren(isUndefined ? '–' : valueText(register, found));
    if (left !== null) value.append(' ', element('span', 'new', `→ ${valueText(register, left)}${writes > 1 ? ` (×${grouped(writes)})` : ''}`));
    row.classList.toggle('is-written', registerAt(register, selected).left !== null);
    if (registerAt(register, selected).left !== null) written.add(register);
  }
  for (const item of finals) setClass(item, item.registers.some((register) => written.has(register)), 'is-now');
}

function setClass(item, isSet, className) {
  item.element.classList.toggle(className, isSet);
  if (className === 'is-now') item.element.setAttribute('aria-selected', String(isSet));
}

/// Shows where in time something is: `ranges` of steps.
function span(first, last) {
  for (const plot of plots) {
    const from = first > 0 ? columnOf(Math.max(first, timeline.first)) : null;
    const to = columnOf(last) ?? end - 1;
    if (from === null || last < first) plot.cursors.span.hidden = true;
    else placeCursor(plot, 'span', from, to + 1);
  }
}

// ---- pointer and keys ----

for (const plot of plots) {
  const columnAt = (event) => {
    const box = plot.box.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    return Math.max(0, Math.min(end, Math.floor(view.from + share * (view.to - view.from))));
  };
  plot.box.addEventListener('pointermove', (event) => hover(columnAt(event)));
  plot.box.addEventListener('pointerleave', () => hover(null));
  plot.box.addEventListener('click', (event) => select(columnAt(event)));
  plot.box.addEventListener('wheel', (event) => {
    const size = view.to - view.from;
    if (event.deltaX === 0 || size > end) return;
    event.preventDefault();
    look(view.from + (event.deltaX / 400) * size);
    mark();
  }, {passive: false});
}
const spanOf = (items, steps) => items.forEach((item) => {
  for (const type of ['pointerenter', 'focus']) item.element.addEventListener(type, () => span(...steps(item)));
  for (const type of ['pointerleave', 'blur']) item.element.addEventListener(type, () => span(0, -1));
});
spanOf(forks, (item) => [item.step, item.last]);
spanOf(listing, ({index}) => [data.program[index].first ?? 0, data.program[index].last ?? -1]);
[...byId('lanes-now').children].forEach((cell, lane) => {
  cell.title = `lane ${lane}`;
});

function zoom(share) {
  const size = Math.max(Math.min(8, end + 1), Math.min(end + 1, (view.to - view.from) * share));
  look(selected + 0.5 - size / 2, size);
  mark();
}
byId('pan').addEventListener('input', (event) => {
  look(Number(event.target.value));
  mark();
});

const keys = {
  ArrowLeft: () => select(selected - 1),
  ArrowRight: () => select(selected + 1),
  PageUp: () => select(selected - 10),
  PageDown: () => select(selected + 10),
  Home: () => select(0),
  End: () => select(end),
  '+': () => zoom(0.5),
  '-': () => zoom(2),
  0: () => zoom(Infinity),
};
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input')) return;
  // Page Up, Page Down, Home and End scroll the page unless the timeline has the focus.
  const isScroll = ['PageUp', 'PageDown', 'Home', 'End'].includes(event.key);
  if (!(event.key in keys) || (isScroll && event.target !== slider)) return;
  event.preventDefault();
  keys[event.key]();
});
const buttons = {
  first: keys.Home, previous: keys.ArrowLeft, next: keys.ArrowRight, last: keys.End,
  'zoom-in': keys['+'], 'zoom-out': keys['-'], 'zoom-fit': keys[0],
};
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener('click', act);

// ---- theme ----

const themes = ['auto', 'light', 'dark'];
function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  drawAll();
}
byId('theme').addEventListener('click', () => {
  const now = document.documentElement.dataset.theme ?? 'auto';
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

function drawAll() {
  for (const plot of plots) drawPlot(plot);
}
new ResizeObserver(() => {
  drawAll();
  mark();
}).observe(document.body);
setTheme('auto');
const asked = /^#step=(\d+|end)$/.exec(location.hash)?.[1];
select(asked === undefined ? 0 : asked === 'end' ? end : columnOf(Number(asked)) ?? 0);
