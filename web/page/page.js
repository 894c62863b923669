// One selected cell and one under the pointer; everything else follows from them.
let selected = 0;
let hovered = null;

byId('name').textContent = data.name;
byId('meta').textContent = `${data.file} · ${data.target} · ${plural(data.steps, 'step')}`;
{
  const {verdict, stop, skipped_vector: skipped} = whole;
  byId('outcome').append(
    element('span', `verdict ${verdict.kind}`, verdict.text),
    ...(verdict.text.includes(stop.reason) ? [] : [' · ', element('span', `badge ${stop.kind}`, stop.reason)]),
    // The findings have the details of a fault.
    stop.kind === 'fault' ? '' : ` at ${stop.place}${stop.instruction ? `: ${stop.instruction}` : ''}`,
    stop.kind !== 'fault' && stop.detail ? `. ${stop.detail}` : '',
    skipped ? `. ${plural(skipped, 'vector instruction')} skipped` : '');
}
byId('summarised').hidden = data.summarised.length === 0;
for (const sentence of data.summarised) byId('summarised').querySelector('ul').append(element('li', '', sentence));

byId('guess').hidden = timeline.lost !== true;

const slider = byId('timeline');
slider.setAttribute('aria-valuemin', String(timeline.first));
slider.setAttribute('aria-valuemax', String(afterLast));
byId('lane-axis').style.height = `${placeTop + placeHeight}px`;
const axis = (y, text, className = '') => {
  byId('lane-axis').append(element('span', className, text));
  byId('lane-axis').lastChild.style.top = `${y}px`;
};
axis(rulerHeight / 2, 'step', 'wide');
if (arcsHeight !== 0) axis(rulerHeight + marksHeight + arcsHeight / 2, 'forks', 'wide');
for (const lane of [0, 1, 2, 3, 4].map((part) => Math.min(part * laneRows / 4, laneRows - 1))) axis(lanesTop + (lane + 0.5) * laneHeight, String(lane));
axis(stackTop + stackHeight / 2, 'csp');
axis(placeTop + placeHeight / 2, 'pc');
const sides = Object.fromEntries([['exec', lanesTop], ['path', lanesTop + 20], ['csp', stackTop + 6], ['pc', placeTop + 20]].map(([name, y]) => {
  const made = byId('sides').appendChild(element('span'));
  made.style.top = `${y}px`;
  return [name, made];
}));
for (let lane = 0; lane < 64; ++lane) byId('lanes-now').append(element('i'));
{
  const legend = byId('legend');
  const entry = (className, text) => {
    const item = legend.appendChild(element('span', className));
    item.append(element('i', className.includes('waits') ? 'waits' : ''), text);
  };
  const most = 8;
  const used = [...new Set(pathOf)].filter((path) => path !== 0);
  if (used.length !== 0) entry('', paths[0].name);
  for (const path of used.slice(0, most)) entry(`path-${paths[path].colour}`, paths[path].name);
  if (used.length > most) legend.append(element('span', 'faint', `and ${used.length - most} more: colours repeat`));
  for (const number of [...new Set(waits.map(({entry: number}) => number))].slice(0, 4)) {
    const wait = waits.find(({entry: other}) => other === number);
    const item = legend.appendChild(element('span', `path-${wait.colour}`));
    item.append(element('i', 'waits'), `waits in entry ${number}`);
  }
  legend.hidden = legend.childElementCount === 0;
}

addPlot(slider, placeTop + placeHeight, drawTimeline);
const selectStep = (step) => {
  const cell = cellOf(step);
  if (cell === null) return;
  select(cell);
  // A single step of a long run is too narrow to be visible when all steps are shown.
  if (isSingle(cell) && (view.to - view.from) / slider.clientWidth > 0.4) {
    look(positionOf(cell) - 24, Math.min(48, axisLength));
    mark();
  }
};
const selectLine = (line) => {
  const cell = data.program[line]?.count ? nextCellWith(line, selected >= end ? 0 : selected + 1) : null;
  if (cell !== null) select(cell);
};
const sources = makeSource((lines) => {
  const after = (line) => {
    const cell = data.program[line].count ? nextCellWith(line, selected >= end ? 0 : selected + 1) : null;
    return cell === null ? Infinity : (cell - selected - 1 + end) % end;
  };
  const next = lines.map((line) => [after(line), line]).sort((left, right) => left[0] - right[0])[0];
  if (next && next[0] !== Infinity) selectLine(next[1]);
});
const listing = makeListing(selectLine);
const forks = makeForks((item) => selectStep(item.step));
const selectWriter = ({register}) => {
  const {writer, writes} = registerAt(register, selected);
  if (writer !== null) selectStep(firstStepOf(writer) === lastStepOf(writer) ? firstStepOf(writer) : lastStepOf(writer));
  else if (writes === 0) byId('hint').textContent = `${register.name}: no write before this is recorded one by one`;
};
const waves = makeWaves(selectWriter);
const finals = makeFinal((item) => (item.wave === undefined || isHere(item) ? selectStep(item.step) : visit(item)));
makeFindings((link) => {
  if (!isHere(link)) visit(link);
  else if (link.step > 0 && cellOf(link.step) !== null) selectStep(link.step);
  else selectLine(link.line);
});

// ---- selection ----

let isLed = true;

function select(cell) {
  selected = Math.max(0, Math.min(end, cell));
  // Keep the selection visible.
  const from = positionOf(selected);
  if (from < view.from || positionOf(selected + 1) > view.to) look(from - (view.to - view.from) / 2);
  mark();
  for (const list of [listing, sources, forks]) reveal(list, 'is-now');
  reveal(waves, 'is-written');
  const url = `#${whole.waves ? `wave=${data.number}&` : ''}step=${selected >= end ? 'end' : firstStepOf(selected)}`;
  if (location.hash !== url) history.replaceState(null, '', url);
  // A page that embeds this one (the playground) follows the selection.
  if (parent !== window) parent.postMessage({step: firstStepOf(selected), chosen: !isLed}, '*');
}

/// Shows a number of steps from a position of the axis on, limited to the axis.
function look(from, size = view.to - view.from) {
  view.from = Math.max(0, Math.min(axisLength - size, from));
  view.to = view.from + size;
  const pan = byId('pan');
  pan.hidden = size >= axisLength;
  pan.max = String(axisLength - size);
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
  const name = (line) => data.program[line]?.text ?? 'an unlisted instruction';
  return isSingle(column) ? name(lines[0][0]) : lines.map(([line, count]) => `${name(line)} ×${grouped(count)}`).slice(0, 4).join(', ');
}

/// Shows the values that a step read, with links to the steps that wrote them.
function readsOf(reads) {
  return reads.split(' ').flatMap((text) => {
    const register = findRegister(text.split('=')[0]);
    const writer = register === null ? null : registerAt(register, selected).writer;
    if (writer === null || !isSingle(writer)) return [text, ' '];
    const button = element('button', 'link', text);
    button.type = 'button';
    button.title = `written at step ${grouped(firstStepOf(writer))}`;
    button.addEventListener('click', () => selectStep(firstStepOf(writer)));
    return [button, ' '];
  });
}

function showNow() {
  const lanes = lanesAt(selected);
  const [least, most] = stackAt(selected);
  const stack = least === most ? `CSP ${least}` : `CSP ${least} to ${most}`;
  byId('where').textContent = `${whereText(selected)} · ${laneCount(lanes)} · ${stack}`;
  const now = byId('now');
  now.replaceChildren(element('span', 'text', describe(selected)));
  if (isSingle(selected)) {
    const index = lineAt(selected);
    const line = data.program[index];
    if (line) now.prepend(`${line.pc}${line.labels ? ` (${line.labels[0]})` : ''}: `);
    const {reads, writes, note} = textsAt(selected);
    if (reads) now.append('  ', ...readsOf(reads));
    if (writes) now.append(' → ', element('span', 'writes', writes));
    if (note) now.append('  ', element('span', 'note', note));
  }
  if (data.barriers) now.append(barrierNote(selected));
  [...byId('lanes-now').children].forEach((cell, lane) => {
    const bit = BigInt(lane);
    cell.className = (lanes.all >> bit) & 1n ? 'on' : (lanes.any >> bit) & 1n ? 'some' : '';
  });
  byId('lanes-now').setAttribute('aria-label', `Active lanes: ${laneText(lanes.any)}`);
  slider.setAttribute('aria-valuenow', String(firstStepOf(selected)));
  const path = pathText(selected);
  slider.setAttribute('aria-valuetext', `${whereText(selected)}: ${describe(selected)}, ${laneCount(lanes)}, ${stack}${path ? `, ${path}` : ''}`);
  byId('first').disabled = byId('previous').disabled = selected === 0;
  byId('last').disabled = byId('next').disabled = selected === end;
}

/// Returns the last label before a line.
function labelOf(line) {
  for (let i = line; i >= 0; --i) {
    if (data.program[i].labels) return data.program[i].labels[0];
  }
  return '';
}

function showHint() {
  const path = hovered === null ? '' : pathText(hovered);
  byId('hint').textContent = hovered === null ? '' : `${whereText(hovered)}: ${describe(hovered)}, ${laneCount(lanesAt(hovered))}${path ? `, ${path}` : ''}`;
  const cell = hovered ?? selected;
  const {any, all} = lanesAt(cell);
  const [least, most] = stackAt(cell);
  sides.exec.textContent = any === all ? hex(any, 16) : `${popcount(any)} lanes, ${popcount(all)} always`;
  sides.path.textContent = pathText(cell);
  sides.csp.textContent = least === most ? `csp ${least}` : `csp ${least} to ${most}`;
  const line = isSingle(cell) ? lineAt(cell) : -1;
  sides.pc.textContent = line < 0 ? '' : `${data.program[line].pc} ${labelOf(line)}`;
}

/// Updates everything that depends on the selected and the hovered column.
function mark() {
  showNow();
  showHint();
  for (const plot of plots) {
    placeCursor(plot, 'selected', positionOf(selected), positionOf(selected + 1));
    if (hovered === null) plot.cursors.hover.hidden = true;
    else {
      const middle = (positionOf(hovered) + positionOf(hovered + 1)) / 2;
      placeCursor(plot, 'hover', middle, middle);
    }
  }
  const now = new Set(linesAt(selected).map(([line]) => line));
  const below = new Set(hovered === null ? [] : linesAt(hovered).map(([line]) => line));
  // At the end, mark the instruction at which the run stopped.
  if (selected >= end) data.program.forEach((line, i) => line.pc === data.stop.pc && now.add(i));
  for (const item of listing) {
    const isNow = now.has(item.index);
    setClass(item, isNow && (isSingle(selected) || selected >= end), 'is-now');
    setClass(item, isNow && !isSingle(selected) && selected < end, 'is-part');
    setClass(item, below.has(item.index), 'hovered');
  }
  for (const item of sources) {
    setClass(item, item.indices.some((index) => now.has(index)) && (isSingle(selected) || selected >= end), 'is-now');
    setClass(item, item.indices.some((index) => below.has(index)), 'hovered');
  }
  const steps = selected >= end ? null : [firstStepOf(selected), lastStepOf(selected)];
  for (const item of forks) {
    setClass(item, steps !== null && item.step > 0 && item.step <= steps[1] && item.last >= steps[0], 'is-now');
  }
  const column = hovered ?? selected;
  const written = new Set();
  for (const {element: row, register, value} of waves) {
    const {value: found, undefined: isUndefined, left, writes, writer} = registerAt(register, column);
    // Two 64-bit values only fit without their leading zeros.
    const show = (shown) => (register.digits > 8 && left !== null ? hex(shown, 1) : valueText(register, shown));
    value.replaceChildren(isUndefined ? '–' : show(found));
    if (left !== null) value.append(' ', element('span', 'new', `→ ${show(left)}${writes > 1 ? ` (×${grouped(writes)})` : ''}`));
    value.title = writer === null ? '' : `written at ${whereText(writer).toLowerCase()}`;
    row.classList.toggle('is-written', registerAt(register, selected).left !== null);
    if (registerAt(register, selected).left !== null) written.add(register);
  }
  for (const item of finals) setClass(item, item.registers.some((register) => written.has(register)), 'is-now');
}

function setClass(item, isSet, className) {
  item.element.classList.toggle(className, isSet);
  if (className === 'is-now') item.element.setAttribute('aria-selected', String(isSet));
}

/// Shows a range of steps in the timelines.
function span(first, last) {
  for (const plot of plots) {
    if (last < first || first <= 0 || first >= afterLast || last < timeline.first) plot.cursors.span.hidden = true;
    else placeCursor(plot, 'span', Math.max(first - timeline.first, 0), Math.min(last + 1 - timeline.first, timeline.steps));
  }
}

// ---- pointer and keys ----

/// Draws at most once per frame.
let isDue = false;
function lookSoon(from, size) {
  view.from = Math.max(0, Math.min(axisLength - size, from));
  view.to = view.from + size;
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    look(view.from, view.to - view.from);
    mark();
  });
}

const leastSize = Math.min(8, axisLength);
for (const plot of plots) {
  const positionAt = (event) => {
    const box = plot.box.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.min(view.from + share * (view.to - view.from), axisLength - 1e-6);
  };
  // Dragging selects the range to show; a press without movement is a click.
  let pressed = null;
  let isDrag = false;
  const showDrag = (event) => {
    const now = positionAt(event);
    for (const each of plots) placeCursor(each, 'drag', Math.min(pressed.position, now), Math.max(pressed.position, now));
  };
  const endDrag = () => {
    pressed = null;
    for (const each of plots) each.cursors.drag.hidden = true;
  };
  plot.box.addEventListener('pointerdown', (event) => {
    isDrag = false;
    pressed = event.button === 0 ? {x: event.clientX, position: positionAt(event)} : null;
  });
  plot.box.addEventListener('pointermove', (event) => {
    hover(cellAt(positionAt(event)));
    if (pressed === null) return;
    if (!isDrag && Math.abs(event.clientX - pressed.x) > 5) {
      isDrag = true;
      plot.box.setPointerCapture(event.pointerId);
    }
    if (isDrag) showDrag(event);
  });
  plot.box.addEventListener('pointerup', (event) => {
    if (pressed !== null && isDrag) {
      const [from, to] = [pressed.position, positionAt(event)].sort((left, right) => left - right);
      const size = Math.max(to - from, leastSize);
      look((from + to - size) / 2, size);
      mark();
    }
    endDrag();
  });
  plot.box.addEventListener('pointercancel', endDrag);
  plot.box.addEventListener('pointerleave', () => hover(null));
  plot.box.addEventListener('click', (event) => {
    event.stopPropagation();
    if (!isDrag) select(cellAt(positionAt(event)));
    isDrag = false;
  });
  plot.box.addEventListener('wheel', (event) => {
    const size = view.to - view.from;
    if (event.deltaX !== 0 && size < axisLength) {
      event.preventDefault();
      lookSoon(view.from + (event.deltaX / 400) * size, size);
      return;
    }
    // In the list of registers the wheel scrolls, and zooms with Ctrl.
    if (event.deltaY === 0 || (plot.box !== slider && !event.ctrlKey)) return;
    const next = Math.max(leastSize, Math.min(axisLength, size * 1.25 ** Math.max(-4, Math.min(4, event.deltaY / 50))));
    if (next === size) return;
    event.preventDefault();
    const position = positionAt(event);
    lookSoon(position - ((position - view.from) / size) * next, next);
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
  const size = Math.max(leastSize, Math.min(axisLength, (view.to - view.from) * share));
  const middle = Math.min((positionOf(selected) + positionOf(selected + 1)) / 2, positionOf(selected) + size / 2);
  look(middle - size / 2, size);
  mark();
}

/// Returns the steps of findings and forks, in order.
const markedSteps = [...new Set([...badSteps, ...[...singleForks, ...(data.barriers ?? [])].map(({step}) => step)])]
  .filter((step) => cellOf(step) !== null).sort((left, right) => left - right);
function goToMark(direction) {
  const now = firstStepOf(selected);
  const step = direction > 0 ? markedSteps.find((other) => other > now) : markedSteps.findLast((other) => other < now);
  if (step !== undefined) selectStep(step);
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
  n: () => goToMark(1),
  p: () => goToMark(-1),
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
  'mark-previous': keys.p, 'mark-next': keys.n,
};
byId('mark-previous').parentElement.hidden = markedSteps.length === 0;
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener('click', act);

// ---- theme ----

const themes = ['auto', 'light', 'dark'];
function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  drawAll();
}
byId('theme').hidden = parent !== window; // for a frame, the embedding page chooses the theme
byId('theme').addEventListener('click', () => {
  const now = document.documentElement.dataset.theme ?? 'auto';
  setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

// In the other direction, the embedding page sends a step and a theme.
addEventListener('message', ({source, data: wish}) => {
  if (source !== parent || parent === window) return;
  isLed = true;
  if (themes.includes(wish?.theme)) setTheme(wish.theme);
  if (wish?.step === 'end') select(end);
  else if (Number.isInteger(wish?.step)) selectStep(wish.step);
  isLed = false;
});

function drawAll() {
  for (const plot of plots) drawPlot(plot);
}
new ResizeObserver(() => {
  drawAll();
  mark();
}).observe(document.body);
setTheme('auto');
const asked = /[#&]step=(\d+|end)$/.exec(location.hash)?.[1];
if (asked === undefined) {
  // Start at the first finding, otherwise at the first step.
  select(0);
  if (data.opens_at > 1) selectStep(data.opens_at);
} else if (asked === 'end') {
  select(end);
} else {
  select(0);
  selectStep(Number(asked));
}
isLed = false;
if (whole.waves) showWaves();
