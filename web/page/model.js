// The run as the page was given it. Columns count from 0; the last one, `end`, is the state after the last step.
const data = JSON.parse(document.getElementById('data').textContent);
const timeline = data.timeline;
const end = timeline.columns;
const isExact = timeline.per_column === 1;

// Entries [column, ...values] stand for their column and those after it, up to the next entry.
function at(entries, column) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle][0] <= column) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const masks = timeline.exec.map(([column, any, all]) => [column, BigInt('0x' + any), BigInt('0x' + (all ?? any))]);
const endMask = BigInt('0x' + timeline.end.exec);

/// Lanes that are on in some step of a column, and in all of them.
function lanesAt(column) {
  if (column >= end) return {any: endMask, all: endMask};
  const [, any, all] = masks[at(masks, column)];
  return {any, all};
}

function stackAt(column) {
  if (column >= end) return [timeline.end.csp, timeline.end.csp];
  const [, least, most] = timeline.csp[at(timeline.csp, column)];
  return [least, most ?? least];
}

/// Lines of the listing that run in a column, with their counts; -1 is a line that is not listed.
function linesAt(column) {
  if (column >= end) return [];
  const entry = timeline.instructions[column];
  if (isExact) return [[entry, 1]];
  const pairs = [];
  for (let i = 0; i < entry.length; i += 2) pairs.push([entry[i], entry[i + 1]]);
  return pairs;
}

/// The lines between which a column's instructions lie, where it does not name them all.
const ranges = new Map((timeline.ranges ?? []).map(([column, least, most]) => [column, [Math.max(least, 0), most]]));

const firstStepOf = (column) => timeline.first + column * timeline.per_column;
const lastStepOf = (column) => Math.min(firstStepOf(column) + timeline.per_column, timeline.first + timeline.steps) - 1;

/// The column of a step; null for one that the timelines do not show.
function columnOf(step) {
  const column = Math.floor((step - timeline.first) / timeline.per_column);
  return step >= timeline.first && column < end ? column : null;
}

/// The first column from `from` on in which a line runs, looking round at the end; null when there is none.
function nextColumnWith(line, from) {
  for (let i = 0; i < end; ++i) {
    const column = (from + i) % end;
    const entry = timeline.instructions[column];
    if (isExact ? entry === line : entry.some((value, k) => k % 2 === 0 && value === line)) return column;
  }
  return columnOf(data.program[line].first ?? 0);
}

const factor = data.registers.columns_per_point;
/// A register as a column finds it, what it is left with there, and how often it is written there.
function registerAt(register, column) {
  const points = register.points;
  const place = at(points, Math.floor(column / factor));
  const isWritten = place >= 0 && points[place][0] === Math.floor(column / factor) && column < end;
  const before = isWritten ? place - 1 : place;
  return {
    value: before >= 0 ? points[before][1] : register.start,
    undefined: before < 0 && register.undefined === true,
    left: isWritten ? points[place][1] : null,
    writes: isWritten ? points[place][2] ?? 1 : 0,
  };
}
/// The column of the last write to a register in what the timelines show; null without one.
function lastWriteOf(register) {
  return register.points.length === 0 ? null : Math.min(register.points.at(-1)[0] * factor + factor - 1, end - 1);
}

const isFlag = (register) => register.name === 'scc';
const hex = (value, digits = 8) => '0x' + value.toString(16).padStart(digits, '0');
const valueText = (register, value) => (isFlag(register) ? String(value) : hex(value));

function popcount(mask) {
  let count = 0;
  for (; mask !== 0n; mask &= mask - 1n) ++count;
  return count;
}

/// `0-15, 20`
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
function whereText(column) {
  if (column >= end) return 'After the last step';
  const total = grouped(data.steps);
  return isExact
    ? `Step ${grouped(firstStepOf(column))} of ${total}`
    : `Steps ${grouped(firstStepOf(column))} to ${grouped(lastStepOf(column))} of ${total}`;
}
