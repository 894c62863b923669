// Which path the lanes are on: the side of a fork or, where compilers part lanes without forks, the instruction that made
// the mask. And which lanes wait on the control stack for their side to run.

const pathColours = 6;
/// Forks that are known one by one: all of them or, of many, the first.
const singleForks = data.forks.first ?? (data.forks.merged ? [] : data.forks.list);

/// Of a column with several steps, and of steps behind the forks that are known one by one, nobody knows the path.
const somePathsAreUnknown = !isExact || data.forks.splits > singleForks.length;
/// {colour, name, pc}, in order of appearance. Path 0 means "not diverged".
const paths = [{colour: 0, name: somePathsAreUnknown ? 'all together, or path not recorded' : 'all together'}];
const pathNumbers = new Map();
/// The path of a key: a new one with the next colour for a new key.
function pathFor(key, name, pc) {
  if (!pathNumbers.has(key)) {
    pathNumbers.set(key, paths.length);
    paths.push({colour: 1 + ((paths.length - 1) % pathColours), name, pc});
  }
  return pathNumbers.get(key);
}

/// By fork: the paths of its two sides. Those of the same fork at the same depth are the same each time.
const sidePaths = singleForks.map((fork) => fork.sides.map((side, which) =>
  pathFor(`${fork.pc} ${fork.entry} ${which}`, placeName(side.line, side.pc), side.pc)));

/// Lanes that wait: from behind the fork to the step in front of their side; `to` is `afterLast` where none pops them.
const waits = singleForks.map((fork, number) => ({
  from: fork.step + 1,
  to: fork.sides[1].first > 0 ? fork.sides[1].first - 1 : afterLast,
  mask: bits(fork.sides[1].mask),
  entry: fork.entry,
  colour: paths[sidePaths[number][1]].colour,
})).filter((wait) => wait.mask !== 0n);

/// The path of each cell that is a single step; of the others 0.
const pathOf = new Uint16Array(end + 1);
singleForks.forEach((fork, number) => {
  // Forks stand in the order of their steps: those inside come after, and paint over.
  fork.sides.forEach((side, which) => {
    if (side.first === 0 || side.last < timeline.first || side.first >= afterLast) return;
    const to = cellAt(Math.min(side.last, afterLast - 1) - timeline.first);
    for (let cell = cellAt(Math.max(side.first, timeline.first) - timeline.first); cell <= to; ++cell) {
      if (isSingle(cell)) pathOf[cell] = sidePaths[number][which];
    }
  });
});
{
  // Outside of forks: by the line that wrote EXEC last, as far as single steps tell.
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
    // Compiled code saves and restores registers with the lanes of the whole wave: its own lanes stay where they are.
    if (instruction.whole_wave) continue;
    // The mask that all lanes started with is no path.
    if (exec.points[point][1] === exec.start) {
      source = 0;
      continue;
    }
    source = pathFor(line, instruction.text, instruction.pc);
  }
}

{
  // The same text at several addresses, as loops that compilers unroll have it.
  const counts = new Map();
  for (const {name} of paths) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const path of paths) {
    if (counts.get(path.name) > 1 && path.pc) path.name = `${path.name} at ${path.pc}`;
  }
}

/// [cell, path], where it changes.
const pathRuns = [];
pathOf.forEach((path, cell) => {
  if (pathRuns.length === 0 || pathRuns.at(-1)[1] !== path) pathRuns.push([cell, path]);
});
/// Masks cut where the path changes: [cell, any, all, path].
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

/// The waits under way at a single step.
const waitsAt = (cell) => (isSingle(cell) ? waits.filter((wait) => wait.from <= cells[cell].first && wait.to >= cells[cell].first) : []);
function pathText(cell) {
  const path = paths[pathOf[cell]];
  const waiting = waitsAt(cell).map((wait) => `${plural(popcount(wait.mask), 'lane')} wait${popcount(wait.mask) === 1 ? 's' : ''} in entry ${wait.entry}`);
  return [...(path === paths[0] ? [] : [`path: ${path.name}`]), ...waiting].join(', ');
}
