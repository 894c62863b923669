// What is drawn. Every view has the same two questions to answer: what belongs to the selected column, and what to the one
// that the pointer is on.
const byId = (id) => document.getElementById(id);

/// An element with a class and a text, which is never read as HTML.
function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/// A colour of the style sheet as canvases understand it, in the theme that is on.
const probe = document.body.appendChild(element('span'));
probe.hidden = true;
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// ---- time from left to right ----

/// The part of the columns that is shown, the end included.
const view = {from: 0, to: end + 1};
const plots = [];
const laneHeight = 4;
const stackTop = 64 * laneHeight + 6;
const stackHeight = 46;
const placeTop = stackTop + stackHeight + 8;
const placeHeight = 84;

function addPlot(box, height, draw) {
  const canvas = box.appendChild(element('canvas'));
  const cursors = {};
  for (const kind of ['span', 'hover', 'selected']) {
    cursors[kind] = box.appendChild(element('div', `cursor ${kind}`));
    cursors[kind].hidden = true;
  }
  const plot = {box, canvas, height, draw, cursors};
  plots.push(plot);
  return plot;
}

function drawPlot(plot) {
  const width = plot.box.clientWidth;
  const height = plot.height ?? plot.box.clientHeight;
  const scale = window.devicePixelRatio || 1;
  plot.canvas.width = Math.max(1, Math.round(width * scale));
  plot.canvas.height = Math.round(height * scale);
  plot.canvas.style.height = `${height}px`;
  const context = plot.canvas.getContext('2d');
  context.scale(scale, scale);
  const x = (column) => ((column - view.from) / (view.to - view.from)) * width;
  plot.draw(context, x, width, height);
}

function placeCursor(plot, kind, from, to) {
  const cursor = plot.cursors[kind];
  const left = ((from - view.from) / (view.to - view.from)) * 100;
  const right = ((to - view.from) / (view.to - view.from)) * 100;
  cursor.hidden = right < 0 || left > 100;
  cursor.style.left = `${left}%`;
  cursor.style.width = kind === 'hover' ? '0' : `${right - left}%`;
}

/// Calls draw(from, to, entry) for the runs of equal columns that are in sight.
function forRuns(entries, draw) {
  for (let i = Math.max(0, at(entries, Math.floor(view.from))); i < entries.length && entries[i][0] < view.to; ++i) {
    draw(entries[i][0], i + 1 < entries.length ? entries[i + 1][0] : end, entries[i]);
  }
}

function drawTimeline(context, x, width) {
  const [on, some, off, stack, faint, accent, line] = ['on', 'some', 'off', 'stack', 'faint', 'accent', 'line'].map(colour);
  const lanes = (from, to, any, all) => {
    const left = x(from);
    const size = Math.max(x(to) - left, 0.5);
    for (let lane = 0; lane < 64; ++lane) {
      const bit = BigInt(lane);
      context.fillStyle = (all >> bit) & 1n ? on : (any >> bit) & 1n ? some : off;
      context.fillRect(left, lane * laneHeight, size, laneHeight - 1);
    }
  };
  forRuns(masks, (from, to, [, any, all]) => lanes(from, to, any, all));
  lanes(end, end + 1, endMask, endMask);

  const level = (csp) => stackTop + stackHeight - (csp / 7) * (stackHeight - 2);
  context.fillStyle = stack;
  const depth = (from, to, least, most) => {
    const size = Math.max(x(to) - x(from), 0.5);
    context.globalAlpha = 0.35;
    context.fillRect(x(from), level(most), size, stackTop + stackHeight - level(most));
    context.globalAlpha = 1;
    context.fillRect(x(from), level(least) - 1, size, 2);
  };
  forRuns(timeline.csp, (from, to, [, least, most]) => depth(from, to, least, most ?? least));
  depth(end, end + 1, timeline.end.csp, timeline.end.csp);

  context.fillStyle = line;
  for (const y of [stackTop - 4, placeTop - 5]) context.fillRect(0, y, width, 1);
  const rows = Math.max(data.program.length - 1, 1);
  context.fillStyle = accent;
  const size = Math.max((x(1) - x(0)) * 0.9, 1.2);
  const place = (row) => placeTop + (row / rows) * (placeHeight - 4);
  context.globalAlpha = 0.4;
  for (const [column, [least, most]] of ranges) {
    if (column >= view.from - 1 && column < view.to) context.fillRect(x(column), place(least), x(1) - x(0), place(most) - place(least) + 3);
  }
  context.globalAlpha = 1;
  for (let column = Math.floor(view.from); column < Math.min(end, view.to); ++column) {
    // Of the many in a column those that ran most are not where it was.
    if (ranges.has(column)) continue;
    for (const [row] of linesAt(column)) {
      if (row >= 0) context.fillRect(x(column), place(row), size, 3);
    }
  }
  context.fillStyle = faint;
  context.font = '11px system-ui, sans-serif';
  context.fillText('control stack (CSP 0 to 7)', 4, stackTop + 9);
  context.fillText('place in the program', 4, placeTop + placeHeight - 3);
}

function drawWave(register) {
  return (context, x, width, height) => {
    const [text, line, faint, write] = ['text', 'line', 'faint', 'write'].map(colour);
    const top = 3.5;
    const bottom = height - 3.5;
    context.font = '11px "DejaVu Sans Mono", monospace';
    context.textBaseline = 'middle';
    const segment = (from, to, value, isUndefined) => {
      const left = x(from);
      const right = x(to);
      if (right < 0 || left > width) return;
      context.strokeStyle = isUndefined ? line : faint;
      if (isFlag(register)) {
        const y = value ? top + 1 : bottom - 1;
        context.fillStyle = isUndefined ? line : write;
        context.fillRect(left, y, Math.max(right - left, 0.5), 2);
        return;
      }
      if (right - left < 3) {
        context.fillStyle = line;
        context.fillRect(left, top, right - left, bottom - top);
        return;
      }
      context.strokeRect(left, top, Math.max(right - left, 0.5), bottom - top);
      const shown = Math.max(left, 0);
      const room = Math.min(right, width) - shown - 6;
      const label = isUndefined ? '–' : valueText(register, value);
      const fits = [label, label.replace(/^0x0+(?=.)/, '0x')].find((t) => context.measureText(t).width <= room);
      context.fillStyle = isUndefined ? faint : text;
      if (fits) context.fillText(fits, shown + 4, height / 2);
    };
    let from = 0;
    let value = register.start;
    let isUndefined = register.undefined === true;
    for (const [point, next] of register.points) {
      // What a column writes is there from the column after it on.
      const to = Math.min((point + 1) * factor, end);
      if (next !== value || isUndefined) {
        segment(from, to, value, isUndefined);
        from = to;
      }
      value = next;
      isUndefined = false;
    }
    segment(from, end + 1, value, isUndefined);
  };
}

// ---- lists ----

/// One stop for Tab; arrow keys go from item to item, Enter and a click choose.
function makeList(box, items, choose) {
  items.forEach((item, i) => {
    item.element.tabIndex = i === 0 ? 0 : -1;
    item.element.setAttribute('role', 'option');
    item.element.setAttribute('aria-selected', 'false');
    item.element.addEventListener('click', () => choose(item));
    item.element.addEventListener('keydown', (event) => {
      const jumps = {ArrowDown: i + 1, ArrowUp: i - 1};
      if (event.key in jumps && items[jumps[event.key]]) {
        event.preventDefault();
        focusItem(items, items[jumps[event.key]]);
      } else if (event.key === 'Enter' || event.key === ' ') {
        event.preventDefault();
        choose(item);
      }
    });
  });
  box.append(...items.map((item) => item.element));
}
function focusItem(items, chosen) {
  for (const item of items) item.element.tabIndex = item === chosen ? 0 : -1;
  chosen.element.focus();
}

function bar(parts, total) {
  const box = element('span', 'bar');
  for (const part of parts) {
    const piece = box.appendChild(element('i'));
    piece.style.width = `${total === 0 ? 0 : (part / total) * 100}%`;
  }
  return box;
}

/// Never 0 % or 100 % of what is not none or all.
function percentText(part, total) {
  const percent = (part / total) * 100;
  if (part === 0 || part === total) return `${percent} %`;
  return `${Math.min(99.9, Math.max(0.1, percent)).toFixed(percent < 1 || percent > 99 ? 1 : 0)} %`;
}

function branchOf(line) {
  const box = element('span', 'branch');
  const texts = [];
  if (line.kind === 'conditional') {
    const total = line.taken + line.not_taken;
    texts.push(`taken ${grouped(line.taken)}${total === 0 ? '' : ` (${percentText(line.taken, total)})`}`, `not taken ${grouped(line.not_taken)}`);
    box.append(bar([line.taken, line.not_taken], total));
  } else if (line.kind === 'fork') {
    texts.push(`split ${grouped(line.split)}`, `taken ${grouped(line.taken)}`, `not taken ${grouped(line.not_taken)}`);
  } else if (line.kind === 'join') {
    texts.push(`popped ${grouped(line.popped)}`, `went on ${grouped(line.went_on)}`);
  }
  if (texts.length !== 0) box.prepend(element('span', '', texts.join(' · ')));
  if (line.targets) {
    const list = line.targets.map(([pc, count]) => `${pc} ×${grouped(count)}`);
    if (line.other_targets) list.push(`others ×${grouped(line.other_targets)}`);
    box.title = `goes to ${list.join(', ')}`;
  }
  return box;
}

function makeListing(choose) {
  const most = Math.max(1, ...data.program.map((line) => line.count ?? 0));
  const items = data.program.map((line, index) => {
    const row = element('div', 'line');
    if (line.hidden) {
      row.className = 'line hidden-lines';
      row.textContent = `${line.pc}: ${plural(line.hidden, 'instruction')} not shown, ${plural(line.hidden_count, 'execution')}`;
      return {element: row, index};
    }
    for (const label of line.labels ?? []) row.append(element('span', 'label', `${label}:`));
    row.append(element('span', 'address', line.pc), element('span', line.count ? '' : 'never', line.text));
    const count = element('span', 'count');
    if (line.count) count.append(element('span', '', grouped(line.count)), bar([line.count], most));
    else count.append(element('span', 'never', 'never'));
    row.append(count, branchOf(line));
    if (line.source && !line.source.startsWith(`${data.file}:`)) row.append(element('span', 'source', line.source));
    return {element: row, index};
  });
  makeList(byId('listing'), items, (item) => choose(item.index));
  return items;
}

function smallLanes(mask) {
  const box = element('span', 'lanes-small');
  const lanes = BigInt('0x' + mask);
  for (let lane = 0; lane < 64; ++lane) box.append(element('i', (lanes >> BigInt(lane)) & 1n ? 'on' : ''));
  return box;
}

function makeForks(choose) {
  const items = [];
  const forks = data.forks.list;
  const place = (line, pc) => data.program[line]?.labels?.[0] ?? pc;
  const add = (depth, step, last, line, ...parts) => {
    const row = element('div', 'row');
    row.style.paddingLeft = `${10 + Math.min(depth, 12) * 16}px`;
    row.append(...parts);
    items.push({element: row, step, last, line});
  };
  const times = (fork) => (fork.count > 1 ? ` ×${grouped(fork.count)}` : '');
  const show = (index, depth) => {
    const fork = forks[index];
    const join = fork.join === null ? 'never joined' : `joined at ${place(fork.join_line, fork.join)}`;
    add(depth, fork.step, fork.step, fork.line,
      `fork at ${place(fork.line, fork.pc)}${times(fork)} (entry ${fork.entry}, step ${grouped(fork.step)}), ${join}`);
    fork.sides.forEach((side, number) => {
      const ran = side.first === 0 ? 'never ran' : plural(side.steps, 'step');
      const lanes = popcount(BigInt('0x' + side.mask));
      add(depth + 1, side.first, side.last, side.line, `${number === 0 ? 'first' : 'then'} `,
        element('strong', '', place(side.line, side.pc)), smallLanes(side.mask),
        element('span', 'mask', `${plural(lanes, 'lane')} 0x${side.mask}`),
        ` (${side.passes ? 'pass' : 'fail'}), ${ran}`);
      forks.forEach((child, i) => {
        if (child.parent === index && child.parent_side === number) show(i, depth + 2);
      });
    });
  };
  forks.forEach((fork, i) => {
    if (fork.parent === null) show(i, 0);
  });
  for (const remark of data.forks.remarks) {
    add(0, remark.step, remark.step, remark.line, element('span', 'kind', `step ${grouped(remark.step)}: `), remark.text);
  }
  byId('forks-text').textContent = data.forks.splits === 0
    ? 'No fork of this run split its lanes. What saveexec and branches on EXECZ do, the lanes above show.'
    : `${plural(data.forks.splits, 'fork')} split the lanes. The smaller side runs first; the other waits on the control stack.`;
  byId('forks').hidden = items.length === 0;
  makeList(byId('forks'), items, choose);
  return items;
}

function makeWaves() {
  const box = byId('registers');
  const rows = data.registers.list.map((register) => {
    const row = element('div', 'wave');
    const value = element('span', 'value');
    const wave = element('div', 'plot');
    row.append(element('span', '', register.name + (register.lost ? ' ?' : '')), wave, value);
    box.append(row);
    addPlot(wave, null, drawWave(register));
    return {element: row, register, value};
  });
  byId('registers-text').textContent = rows.length === 0
    ? 'This part of the run writes no register.'
    : 'A value that an instruction writes is there from the next column on.'
      + (rows.some((row) => row.register.lost)
        ? ' ? marks what depends on vector instructions that were skipped: its values are a guess.' : '');
  box.hidden = rows.length === 0;
  return rows;
}

function makeFinal(choose) {
  const items = data.final.registers.map((entry) => {
    const row = element('div', 'row state');
    const value = element('span', '', entry.undefined ? '–' : entry.value);
    if (entry.lanes) {
      value.title = entry.lanes.map((lane, i) => `${lane}${i % 8 === 7 ? '\n' : ' '}`).join('').trimEnd();
      if (entry.changed) value.className = 'changed';
    } else if (entry.changed) {
      value.className = 'changed';
      value.append(element('span', 'before', `  was ${entry.before ?? '–'}`));
    }
    row.append(element('span', '', entry.name), value);
    const names = [entry.name, `${entry.name}_lo`, `${entry.name}_hi`];
    const registers = data.registers.list.filter((register) => names.includes(register.name));
    return {element: row, entry, registers};
  });
  makeList(byId('final'), items, choose);
  byId('only-changed').addEventListener('change', (event) => {
    for (const item of items) item.element.hidden = event.target.checked && !item.entry.changed;
  });
  if (data.final.memory.length !== 0) {
    const box = byId('memory');
    box.append(element('h2', '', 'Memory that changed'));
    const scroll = box.appendChild(element('div', 'scroll'));
    scroll.tabIndex = 0;
    scroll.setAttribute('aria-label', 'Memory that changed');
    scroll.setAttribute('role', 'region');
    const table = scroll.appendChild(element('table'));
    const head = table.appendChild(element('tr'));
    for (const title of ['address', 'before', 'after']) head.append(element('th', '', title));
    for (const {at: address, before, value} of data.final.memory) {
      const row = table.appendChild(element('tr'));
      for (const text of [address, before, value]) row.append(element('td', '', text));
    }
  }
  return items;
}

function makeWarnings(choose) {
  const items = data.warnings.map((warning) => {
    const row = element('div', 'row');
    row.append(element('span', 'kind', warning.kind), ` at ${warning.place}`,
      warning.step === 0 ? '' : `, step ${grouped(warning.step)}`, `: ${warning.instruction}`,
      element('div', '', warning.detail));
    return {...warning, element: row};
  });
  if (items.length === 0) {
    byId('warnings').replaceWith(element('p', 'faint', 'None.'));
  } else {
    makeList(byId('warnings'), items, choose);
  }
  const box = byId('expectations');
  if (data.expectations === null) return items;
  box.append(element('h2', '', 'Expectations'));
  if (data.expectations.length === 0) box.append(element('p', 'good', 'All hold.'));
  for (const {what, expected, actual, place} of data.expectations) {
    const row = box.appendChild(element('div', 'row plain'));
    row.append(element('span', 'bad', what), ` expected ${expected}, is ${actual} `, element('span', 'faint', place));
  }
  return items;
}
