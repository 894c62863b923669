// The recorded run, on one axis of steps.
//
// A cell is a unit of selection: a step or, if the run is too long, the steps of a column that no window shows one by
// one. The last cell, `end`, is the state after the last step. Positions on the axis count steps from 0.
const whole = JSON.parse(document.getElementById('data').textContent);
/// Of several waves, the page shows one at a time.
const data = whole.waves ? dataOfWave(whole) : whole;
const timeline = data.timeline;
const isExact = timeline.per_column === 1;
const windows = data.windows ?? [];
const firstOfColumn = (column) => timeline.first + column * timeline.per_column;
const afterLast = timeline.first + timeline.steps;

/// {first, last, column, window, offset}: `window` is -1 for data of a column; otherwise `offset` is the index in the window.
const cells = [];
/// The last cell of a column; -1 for a column that windows cover.
const lastCellOf = new Array(timeline.columns).fill(-1);
const windowCells = [];
{
  let next = 0;
  const addWindow = () => {
    const {first, steps} = windows[next];
    windowCells.push(cells.length);
    for (let i = 0; i < steps; ++i) {
      const column = Math.floor((first + i - timeline.first) / timeline.per_column);
      cells.push({first: first + i, last: first + i, column, window: next, offset: i});
    }
    ++next;
    return first + steps;
  };
  let step = timeline.first;
  for (let column = 0; column < timeline.columns; ++column) {
    const last = Math.min(firstOfColumn(column + 1), afterLast) - 1;
    while (step <= last) {
      const until = next < windows.length ? Math.min(windows[next].first - 1, last) : last;
      if (step <= until) {
        lastCellOf[column] = cells.length;
        cells.push({first: step, last: until, column, window: -1, offset: 0});
        step = until + 1;
      }
      if (next < windows.length && step === windows[next].first && step <= last) {
        step = addWindow();
        if (step <= last) lastCellOf[column] = -1;
      }
    }
  }
}
const end = cells.length;
/// The length of the axis in steps, including the end.
const axisLength = timeline.steps + 1;
const positionOf = (cell) => (cell >= end ? timeline.steps + (cell - end) : cells[cell].first - timeline.first);
const isSingle = (cell) => cell < end && (isExact || cells[cell].window >= 0);
const firstStepOf = (cell) => (cell >= end ? afterLast : cells[cell].first);
const lastStepOf = (cell) => cells[cell].last;

/// Returns the cell at a position of the axis.
function cellAt(position) {
  const step = Math.floor(position) + timeline.first;
  if (step >= afterLast) return end;
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cells[middle].first <= step) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
/// Returns the cell of a step; null if the timelines do not show it.
const cellOf = (step) =>
  (step === data.steps + 1 && afterLast === step ? end : step >= timeline.first && step < afterLast ? cellAt(step - timeline.first) : null);

// Entries [cell, ...values] stand for their cell and those after it, up to the next entry.
function at(entries, cell) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= cell) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/// Merges entries by column and entries of windows into entries by cell.
function byCell(columns, ofWindow) {
  const entries = [];
  cells.forEach((cell, i) => {
    const list = cell.window < 0 ? columns : ofWindow(windows[cell.window]);
    const [, ...values] = list[at(list, cell.window < 0 ? cell.column : cell.offset)];
    const before = entries.at(-1);
    if (!before || values.length !== before.length - 1 || values.some((value, k) => value !== before[k + 1])) entries.push([i, ...values]);
  });
  return entries;
}
const bits = (text) => BigInt('0x' + text);
const masks = byCell(timeline.exec, (window) => window.exec).map(([cell, any, all]) => [cell, bits(any), bits(all ?? any)]);
const depths = byCell(timeline.csp, (window) => window.csp);
const endMask = bits(timeline.end.exec);

/// Returns the lanes that are active in some step of a cell, and in all its steps.
function lanesAt(cell) {
  if (cell >= end) return {any: endMask, all: endMask};
  const [, any, all] = masks[at(masks, cell)];
  return {any, all};
}

function stackAt(cell) {
  if (cell >= end) return [timeline.end.csp, timeline.end.csp];
  const [, least, most] = depths[at(depths, cell)];
  return [least, most ?? least];
}

/// Returns the lines of the listing that run in a cell, with their counts; -1 for an instruction that is not listed.
function linesAt(cell) {
  if (cell >= end) return [];
  const {column, window, offset} = cells[cell];
  if (window >= 0) return [[windows[window].instructions[offset], 1]];
  const entry = timeline.instructions[column];
  if (isExact) return [[entry, 1]];
  const pairs = [];
  for (let i = 0; i < entry.length; i += 2) pairs.push([entry[i], entry[i + 1]]);
  return pairs;
}
/// Returns the line of a single step.
const lineAt = (cell) => linesAt(cell)[0][0];

/// Returns reads, writes and notes of a single step.
function textsAt(cell) {
  const {column, window, offset} = cells[cell];
  const from = window >= 0 ? windows[window] : timeline;
  const place = window >= 0 ? offset : column;
  return {reads: from.reads[place], writes: from.writes[place], note: from.notes[place]};
}

/// The range of lines of a column's instructions, if not all are listed.
const ranges = new Map((timeline.ranges ?? []).map(([column, least, most]) => [column, [Math.max(least, 0), most]]));

/// Returns the first cell from `from` on, wrapping around, in which a line runs; null if it does not run in any cell.
function nextCellWith(line, from) {
  for (let i = 0; i < end; ++i) {
    const cell = (from + i) % end;
    if (linesAt(cell).some(([other]) => other === line)) return cell;
  }
  return cellOf(data.program[line].first ?? 0);
}

// ---- registers ----

const factor = data.registers.columns_per_point;
const isFlag = (register) => register.name === 'scc';
const hex = (value, digits = 8) => '0x' + value.toString(16).padStart(digits, '0');

/// A register's points [cell, value, writes]: its value from the next cell on. Without writes: the value at the start of a window.
function pointsOf(register, place) {
  const points = [];
  for (const [group, value, writes] of register.points) {
    let column = Math.min((group + 1) * factor, timeline.columns) - 1;
    while (column > group * factor && lastCellOf[column] < 0) --column;
    if (lastCellOf[column] >= 0) points.push([lastCellOf[column], value, writes ?? 1]);
  }
  if (windows.length === 0) return {start: register.start, points};
  // Before its first step a window has the values at the end of the previous window, unless it specifies others.
  let now = register.start;
  const inside = [];
  windows.forEach((window, number) => {
    const found = window.registers.found.find(([other]) => other === place);
    if (found) now = found[1];
    inside.push([windowCells[number] - 1, now, 0]);
    for (const [other, offset, value] of window.registers.points) {
      if (other !== place) continue;
      inside.push([windowCells[number] + offset, value, 1]);
      now = value;
    }
  });
  const merged = [...points, ...inside].sort((left, right) => left[0] - right[0] || right[2] - left[2]);
  let start = register.start;
  let value = start;
  const kept = [];
  for (const point of merged) {
    if (point[0] < 0) {
      start = value = point[1];
      continue;
    }
    if (point[2] === 0 && point[1] === value) continue;
    kept.push(point);
    value = point[1];
  }
  return {start, points: kept};
}

/// Pairs of dwords that are shown as one value.
function joinPair(name, low, high) {
  const points = [];
  const now = [BigInt(low.start), BigInt(high.start)];
  const whole = () => now[0] | (now[1] << 32n);
  for (let i = 0, k = 0; i < low.points.length || k < high.points.length;) {
    const cell = Math.min(low.points[i]?.[0] ?? Infinity, high.points[k]?.[0] ?? Infinity);
    let writes = 0;
    for (; low.points[i]?.[0] === cell; ++i) {
      now[0] = BigInt(low.points[i][1]);
      writes = Math.max(writes, low.points[i][2]);
    }
    for (; high.points[k]?.[0] === cell; ++k) {
      now[1] = BigInt(high.points[k][1]);
      writes = Math.max(writes, high.points[k][2]);
    }
    points.push([cell, whole(), writes]);
  }
  return {
    name, points, digits: 16, start: BigInt(low.start) | (BigInt(high.start) << 32n), dwords: [low.name, high.name],
    undefined: low.undefined || high.undefined, lost: low.lost || high.lost,
  };
}

/// The registers as shown: pairs as one value, and MODE without CSP, which has a separate line.
const registers = [];
{
  const singles = data.registers.list.map((register, place) => ({...register, ...pointsOf(register, place), digits: 8, dwords: [register.name]}));
  const pairs = new Map((data.registers.pairs ?? []).map(([place, name]) => [place, name]));
  for (let i = 0; i < singles.length; ++i) {
    if (pairs.has(i)) {
      registers.push(joinPair(pairs.get(i), singles[i], singles[i + 1]));
      ++i;
    } else if (singles[i].name === 'mode') {
      const field = (value) => value & 0x1fffffff;
      const mode = {...singles[i], start: field(singles[i].start)};
      let before = mode.start;
      mode.points = singles[i].points.map(([cell, value, writes]) => [cell, field(value), writes]).filter(([, value]) => {
        const isNew = value !== before;
        before = value;
        return isNew;
      });
      if (mode.points.length !== 0) registers.push(mode);
    } else {
      registers.push(singles[i]);
    }
  }
}
const valueText = (register, value) => (isFlag(register) ? String(value) : hex(value, register.digits));

/// Returns a register's value before and after a cell, the number of writes in the cell, and the cell that wrote the value before; null if unknown.
function registerAt(register, cell) {
  const points = register.points;
  const place = at(points, cell);
  const isWritten = place >= 0 && points[place][0] === cell && points[place][2] > 0 && cell < end;
  const before = place >= 0 && points[place][0] === cell ? place - 1 : place;
  return {
    value: before >= 0 ? points[before][1] : register.start,
    undefined: before < 0 && register.undefined === true,
    left: isWritten ? points[place][1] : null,
    writes: isWritten ? points[place][2] : 0,
    writer: before >= 0 && points[before][2] > 0 ? points[before][0] : null,
  };
}
const registersByName = new Map();
for (const register of registers) {
  for (const name of [register.name, ...register.dwords]) registersByName.set(name, register);
}
/// Returns the register `exec`, `s4`, or the first dword of `s[4:7]`; null if the run does not write it.
function findRegister(name) {
  const range = /^([a-z]+)\[(\d+):\d+\]$/.exec(name);
  return registersByName.get(name) ?? registersByName.get(`${name}_lo`) ?? (range && registersByName.get(range[1] + range[2])) ?? null;
}

// ---- texts ----

function popcount(mask) {
  let count = 0;
  for (; mask !== 0n; mask &= mask - 1n) ++count;
  return count;
}

/// Formats lanes: `0-15, 20`.
function laneText(mask) {
  const parts = [];
  for (let lane = 0; lane < 64; ++lane) {
    if (!((mask >> BigInt(lane)) & 1n)) continue;
    const from = lane;
    while (lane < 63 && (mask >> BigInt(lane + 1)) & 1n) ++lane;
    parts.push(from === lane ? `${from}` : `${from}-${lane}`);
  }
  if (parts.length === 0) return 'none';
  return parts.length > 8 ? parts.slice(0, 8).join(', ') + ', ...' : parts.join(', ');
}

const grouped = (number) => number.toLocaleString('en-US');
const plural = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
const laneCount = ({any, all}) =>
  any === all ? `${plural(popcount(any), 'lane')} on` : `${plural(popcount(any), 'lane')} on at some time, ${popcount(all)} always`;
const placeName = (line, pc) => data.program[line]?.labels?.[0] ?? pc;
function whereText(cell) {
  if (cell >= end) return 'After the last step';
  const total = grouped(data.steps);
  const steps = isSingle(cell)
    ? `Step ${grouped(firstStepOf(cell))} of ${total}`
    : `Steps ${grouped(firstStepOf(cell))} to ${grouped(lastStepOf(cell))} of ${total}`;
  return whole.waves ? steps + runStepText(cell) : steps;
}
