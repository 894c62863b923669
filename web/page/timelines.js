// The timelines: all plots have the same axis of steps and show the same part of it.
const byId = (id) => document.getElementById(id);

/// Makes an element with a class and a text, which is never parsed as HTML.
function element(tag, className = '', text = '') {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

/// Returns a colour of the style sheet for canvases, in the current theme.
const probe = document.body.appendChild(element('span'));
probe.hidden = true;
function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/// The visible part of the axis, in steps from its start.
const view = {from: 0, to: axisLength};
const plots = [];
const rulerHeight = 20;
const marksHeight = 8;
const arcsHeight = singleForks.length === 0 ? 0 : 32;
const lanesTop = rulerHeight + marksHeight + arcsHeight + 4;
/// Lanes that are never active are not drawn if there are many of them.
const everOn = laneRuns.reduce((all, [, any]) => all | any, 0n) | waits.reduce((all, {mask}) => all | mask, 0n);
const laneRows = [16, 32, 64].find((count) => everOn >> BigInt(count) === 0n);
const laneHeight = 192 / laneRows;
const stackTop = lanesTop + laneRows * laneHeight + 6;
const stackHeight = 34;
const placeTop = stackTop + stackHeight + 8;
const placeHeight = 70;

/// True for a place in the wave that is shown.
const isHere = ({wave}) => wave === data.number;
/// Draws marks at the steps of findings.
const badSteps = [...new Set(data.findings.filter(({severity}) => severity === 'bad')
  .flatMap(({links}) => links.filter(isHere).map(({step}) => step)).filter((step) => step > 0))].sort((left, right) => left - right);

function addPlot(box, height, draw) {
  const canvas = box.appendChild(element('canvas'));
  const cursors = {};
  for (const kind of ['span', 'drag', 'hover', 'selected']) {
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
  const x = (position) => ((position - view.from) / (view.to - view.from)) * width;
  plot.draw(context, x, width, height);
}

/// Draws a cursor over a range of the axis.
function placeCursor(plot, kind, from, to) {
  const cursor = plot.cursors[kind];
  const left = ((from - view.from) / (view.to - view.from)) * 100;
  const right = ((to - view.from) / (view.to - view.from)) * 100;
  cursor.hidden = right < 0 || left > 100;
  cursor.style.left = `${left}%`;
  cursor.style.width = kind === 'hover' ? '0' : `${right - left}%`;
}

/// Calls draw(left, right, entry) for the visible runs of equal cells, in pixels. Of runs narrower than half a pixel only some are drawn, with the width of all.
function forRuns(entries, x, last, draw) {
  let drawn = -Infinity;
  for (let i = Math.max(0, at(entries, cellAt(Math.max(view.from, 0)))); i < entries.length; ++i) {
    const from = positionOf(entries[i][0]);
    if (from >= view.to) break;
    const right = x(i + 1 < entries.length ? positionOf(entries[i + 1][0]) : last);
    if (right - drawn < 0.5) continue;
    const left = drawn === -Infinity ? x(from) : drawn;
    draw(left, Math.max(right, left + 0.5), entries[i]);
    drawn = right;
  }
}

/// Returns the distance of axis marks: 1, 2 or 5 times a power of ten, large enough for their labels.
function tickStep(pixelsPerStep) {
  const least = 90 / pixelsPerStep;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 1;
}

function drawRuler(context, x, width) {
  const [faint, line, accent, bad] = ['faint', 'line', 'accent', 'bad'].map(colour);
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = line;
  context.fillRect(0, rulerHeight - 1, width, 1);
  const step = Math.max(1, tickStep(x(1) - x(0)));
  for (let number = Math.ceil((view.from + timeline.first) / step) * step; number - timeline.first < view.to; number += step) {
    const left = x(number - timeline.first);
    context.fillStyle = line;
    context.fillRect(left, rulerHeight - 7, 1, 7);
    context.fillStyle = faint;
    if (number < afterLast) context.fillText(grouped(number), left + 3, rulerHeight - 7);
  }
  // The parts of a long run with recorded single steps.
  context.fillStyle = accent;
  for (const {first, steps} of windows) {
    const left = x(first - timeline.first);
    context.fillRect(left, rulerHeight, Math.max(x(first + steps - timeline.first) - left, 2), 3);
  }
  context.fillStyle = bad;
  for (const step of badSteps) {
    const cell = cellOf(step);
    if (cell === null) continue;
    const middle = (x(positionOf(cell)) + x(positionOf(cell + 1))) / 2;
    context.beginPath();
    context.moveTo(middle - 5, rulerHeight - 1);
    context.lineTo(middle + 5, rulerHeight - 1);
    context.lineTo(middle, rulerHeight + marksHeight);
    context.fill();
  }
}

/// Draws forks and joins: waiting lanes from the fork to the step at which their side begins, and the other lanes from the join at which they wait to the step at which all lanes are together.
function drawArcs(context, x, width) {
  if (arcsHeight === 0) return;
  const bottom = lanesTop - 3;
  const arc = (from, to, depth, name, dashes) => {
    const [left, right] = [x(from), x(to)];
    if (right < 0 || left > width || right - left < 2) return;
    const top = bottom - (arcsHeight - 4) * (1 - 0.12 * Math.min(depth, 5));
    context.strokeStyle = colour(name);
    context.setLineDash(dashes);
    context.beginPath();
    context.moveTo(left, bottom);
    const lean = Math.min((right - left) / 2, 40);
    context.bezierCurveTo(left, top, left + lean / 2, top, left + lean, top);
    context.lineTo(right - lean, top);
    context.bezierCurveTo(right - lean / 2, top, right, top, right, bottom);
    context.stroke();
  };
  context.lineWidth = 2;
  singleForks.forEach((fork, number) => {
    const [first, second] = fork.sides;
    const start = fork.step - timeline.first + 0.5;
    const [one, other] = sidePaths[number].map((path) => `path-${paths[path].colour}`);
    if (second.first === 0) {
      arc(start, timeline.steps, fork.entry, other, [2, 3]);
      return;
    }
    arc(start, second.first - timeline.first, fork.entry, other, []);
    arc(second.first - timeline.first, second.last - timeline.first + 1, fork.entry, one, [6, 3]);
  });
  context.setLineDash([]);
  context.lineWidth = 1;
}

function drawLanes(context, x, width) {
  const off = colour('off');
  const shades = Array.from({length: pathColours + 1}, (_, number) => colour(number === 0 ? 'on' : `path-${number}`));
  const lane = (number) => lanesTop + number * laneHeight;
  context.fillStyle = off;
  for (let number = 0; number < laneRows; ++number) context.fillRect(0, lane(number), Math.min(width, x(axisLength)), laneHeight - 1);
  const fill = (mask, left, right) => {
    for (let number = 0; number < laneRows; ++number) {
      if ((mask >> BigInt(number)) & 1n) context.fillRect(left, lane(number), right - left, laneHeight - 1);
    }
  };
  context.globalAlpha = 0.32;
  for (const wait of waits) {
    const left = x(Math.max(wait.from - timeline.first, 0));
    const right = x(Math.min(wait.to + 1 - timeline.first, timeline.steps));
    if (right < 0 || left > width || right - left < 0.5) continue;
    context.fillStyle = shades[wait.colour];
    fill(wait.mask, left, right);
  }
  context.globalAlpha = 1;
  forRuns(laneRuns, x, axisLength, (left, right, [, any, all, path]) => {
    context.fillStyle = shades[paths[path].colour];
    fill(all, left, right);
    if (any === all) return;
    context.globalAlpha = 0.45;
    fill(any & ~all, left, right);
    context.globalAlpha = 1;
  });
}

function drawTimeline(context, x, width) {
  drawRuler(context, x, width);
  drawArcs(context, x, width);
  drawLanes(context, x, width);
  const [stack, faint, accent, line, text] = ['stack', 'faint', 'accent', 'line', 'text'].map(colour);
  context.font = '11px system-ui, sans-serif';
  const level = (csp) => stackTop + stackHeight - (csp / 7) * (stackHeight - 2);
  const depth = (left, right, least, most) => {
    context.fillStyle = stack;
    context.globalAlpha = 0.35;
    context.fillRect(left, level(most), right - left, stackTop + stackHeight - level(most));
    context.globalAlpha = 1;
    context.fillRect(left, level(least) - 1, right - left, 2);
    context.fillStyle = text;
    const label = least === most ? `${least}` : `${least}-${most}`;
    if (most > 0 && right - left > 8 * label.length + 6) context.fillText(label, Math.max(left, 0) + 4, Math.min(level(most) - 3, stackTop + stackHeight - 4));
  };
  forRuns(depths, x, timeline.steps, (left, right, [, least, most]) => depth(left, right, least, most ?? least));
  depth(x(timeline.steps), x(axisLength), timeline.end.csp, timeline.end.csp);

  context.fillStyle = line;
  for (const y of [stackTop - 4, placeTop - 5]) context.fillRect(0, y, width, 1);
  const rows = Math.max(data.program.length - 1, 1);
  context.fillStyle = accent;
  const place = (row) => placeTop + (row / rows) * (placeHeight - 4);
  let drawn = -Infinity;
  for (let cell = cellAt(Math.max(view.from, 0)); cell < end && positionOf(cell) < view.to; ++cell) {
    const left = x(positionOf(cell));
    const right = x(positionOf(cell + 1));
    if (right - drawn < 0.4) continue;
    drawn = right;
    const size = Math.max((right - left) * 0.9, 1.2);
    // In a column with many steps, the most frequent lines do not give the path.
    const range = cells[cell].window < 0 ? ranges.get(cells[cell].column) : undefined;
    if (range) {
      context.globalAlpha = 0.4;
      context.fillRect(left, place(range[0]), size, place(range[1]) - place(range[0]) + 3);
      context.globalAlpha = 1;
      continue;
    }
    for (const [row] of linesAt(cell)) {
      if (row >= 0) context.fillRect(left, place(row), size, 3);
    }
  }
  context.fillStyle = faint;
  if (data.barriers) drawBarriers(context, x, width);
}

function drawWave(register) {
  return (context, x, width, height) => {
    const [text, line, faint, write] = ['text', 'line', 'faint', 'write'].map(colour);
    const top = 3.5;
    const bottom = height - 3.5;
    context.font = '11px "DejaVu Sans Mono", monospace';
    context.textBaseline = 'middle';
    let drawn = -Infinity;
    const segment = (from, to, value, isUndefined) => {
      const left = x(from);
      const right = x(to);
      if (right < 0 || left > width || right - drawn < 0.5) return;
      // Includes earlier parts that were too narrow to be drawn.
      const begin = Math.max(drawn, left - 0.5);
      drawn = right;
      context.strokeStyle = isUndefined ? line : faint;
      if (isFlag(register)) {
        const y = value ? top + 1 : bottom - 1;
        context.fillStyle = isUndefined ? line : write;
        context.fillRect(left, y, Math.max(right - left, 0.5), 2);
        return;
      }
      if (right - left < 3) {
        context.fillStyle = line;
        context.fillRect(begin, top, right - begin, bottom - top);
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
      // A value is visible from the step after its write on.
      const to = positionOf(point + 1);
      if (next !== value || isUndefined) {
        segment(from, to, value, isUndefined);
        from = to;
      }
      value = next;
      isUndefined = false;
    }
    segment(from, axisLength, value, isUndefined);
  };
}
