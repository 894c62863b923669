// The path of the lanes: the side of a fork or, in compiled code that diverges without forks, the instruction that made
// the mask. Also the lanes that wait on the control stack for their side to run.

const pathColours = 6;
/// The forks that are recorded individually: all, or the first of many.
const singleForks = data.forks.first ?? (data.forks.merged ? [] : data.forks.list);

/// The path is unknown for columns with several steps, and for steps after the last recorded fork.
const somePathsAreUnknown = !isExact || data.forks.splits > singleForks.length;
/// {colour, name, pc}, in order of appearance. Path 0 means "not diverged".
const paths = [{colour: 0, name: somePathsAreUnknown ? 'all together, or path not recorded' : 'all together'}];
const pathNumbers = new Map();
/// Returns the path of a key; a new key gets a new path with the next colour.
function pathFor(key, name, pc) {
  if (!pathNumbers.has(key)) {
    pathNumbers.set(key, paths.length);
    paths.push({colour: 1 + ((paths.length - 1) % pathColours), name, pc});
  }
  return pathNumbers.get(key);
}

/// Paths of the two sides by fork. The same fork at the same depth always has the same paths.
const sidePaths = singleForks.map((fork) => fork.sides.map((side, which) =>
  pathFor(`${fork.pc} ${fork.entry} ${which}`, placeName(side.line, side.pc), side.pc)));

/// Waiting lanes: from the step after the fork to the step before their side starts; `to` is `afterLast` if they are never popped.
const waits = singleForks.map((fork, number) => ({
  from: fork.step + 1,
  to: fork.sides[1].first > 0 ? fork.sides[1].first - 1 : afterLast,
  mask: bits(fork.sides[1].mask),
  entry: fork.entry,
  colour: paths[sidePaths[number][1]].colour,
})).filter((wait) => wait.mask !== 0n);

/// The path of each cell that is a single step; 0 for other cells.
const pathOf = new Uint16Array(end + 1);
singleForks.forEach((fork, number) => {
  // Forks are in step order: nested forks come later, and overwrite.
  fork.sides.forEach((side, which) => {
    if (side.first === 0 || side.last < timeline.first || side.first >= afterLast) return;
    const to = cellAt(Math.min(side.last, afterLast - 1) - timeline.first);
    for (let cell = cellAt(Math.max(side.first, timeline.first) - timeline.first); cell <= to; ++cell) {
      if (isSingle(cell)) pathOf[cell] = sidePaths[number][which];
    }
  });
});
{
  // Outside of forks: the path of the line that wrote EXEC last, if known from single steps.
  const exec = findRegister('exec_lo');
  let source = 0;
  let point = 0;
  for (let cell = 0; exec !== null && cell <= end; ++cell) {
    if (cell < end && !isSingle(cell)) source = 0;
    if (pathOf[cell] === 0 && (cell === end || isSingle(cell))) pathOf[cell] = source;
    while (point < exec.points.length && exec.points[point][0] < cell) ++point;
    if (cell === end || exec.points[point]?.[0] !== cell || exec.points[point][2] === 0 || !isSingle(cell)) continue;
    const line = lineAt(cell);
    const instruction = data.program[line];
    if (!instruction || instruction.kind === 'fork' || instruction.kind === 'join') {
      source = 0;
      continue;
    }
    // Compiled code saves and restores registers with all lanes active, which does not change its path.
    if (instruction.whole_wave) continue;
    // The initial mask is not a path.
    if (exec.points[point][1] === exec.start) {
      source = 0;
      continue;
    }
    source = pathFor(line, instruction.text, instruction.pc);
  }
}

{
  // The same text may be at several addresses, for example in unrolled loops.
  const counts = new Map();
  for (const {name} of paths) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const path of paths) {
    if (counts.get(path.name) > 1 && path.pc) path.name = `${path.name} at ${path.pc}`;
  }
}

/// The changes of the path, as [cell, path].
const pathRuns = [];
pathOf.forEach((path, cell) => {
  if (pathRuns.length === 0 || pathRuns.at(-1)[1] !== path) pathRuns.push([cell, path]);
});
/// Masks, split where the path changes: [cell, any, all, path].
const laneRuns = [];
{
  let mask = -1;
  let run = -1;
  for (let cell = 0; cell <= end; ++cell) {
    const nextMask = cell < end ? at(masks, cell) : masks.length;
    const nextRun = at(pathRuns, cell);
    if (nextMask === mask && nextRun === run) continue;
    [mask, run] = [nextMask, nextRun];
    const {any, all} = lanesAt(cell);
    laneRuns.push([cell, any, all, pathRuns[run][1]]);
  }
}

/// Returns the lanes that wait at a single step.
const waitsAt = (cell) => (isSingle(cell) ? waits.filter((wait) => wait.from <= cells[cell].first && wait.to >= cells[cell].first) : []);
function pathText(cell) {
  const path = paths[pathOf[cell]];
  const waiting = waitsAt(cell).map((wait) => `${plural(popcount(wait.mask), 'lane')} wait${popcount(wait.mask) === 1 ? 's' : ''} in entry ${wait.entry}`);
  return [...(path === paths[0] ? [] : [`path: ${path.name}`]), ...waiting].join(', ');
}
