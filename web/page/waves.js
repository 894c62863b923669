// The waves of a run. The page shows one of them; the address selects it (`#wave=3`), and a new address loads the page again.

/// Returns the data of the wave in the address, or of the wave that is shown first, with that of the run.
function dataOfWave(run) {
  const asked = Number(/[#&]wave=(\d+)/.exec(location.hash)?.[1] ?? run.shown);
  const wave = run.waves.find(({number}) => number === asked) ?? run.waves.find(({number}) => number === run.shown);
  return {...run, ...wave, run, name: run.name, waveName: wave.name, final: {...wave.final, memory: run.memory}, summarised: [...run.summarised, ...wave.summarised]};
}

/// Steps of other waves before a cell; the trace counts the steps of all waves.
const othersBefore = timeline.others === undefined ? null : byCell(timeline.others, (window) => window.others ?? [[0, 0]]);
function runStepText(cell) {
  const others = othersBefore === null ? 0 : othersBefore[at(othersBefore, cell)][1];
  return isSingle(cell) ? ` (step ${grouped(firstStepOf(cell) + others)} of the run)` : ` (from step ${grouped(firstStepOf(cell) + others)} of the run)`;
}

/// True if a link of the list led here, which keeps the focus.
const wasChosen = history.state === 'chosen';
const linkTo = (wave, step) => `#wave=${wave}${step > 0 ? `&step=${step}` : ''}`;
/// Shows a place in another wave.
function visit({wave, step}) {
  location.hash = linkTo(wave, step);
}
const stopTexts = {waits_at_barrier: 'waits at a barrier', not_started: 'not started'};
const stopText = ({reason}) => stopTexts[reason] ?? reason;

/// Describes a barrier: the waves that ran while this one waited.
function barrierText({step, others, passed, continues, ran, unnamed = 0}) {
  const names = ran.map(([wave, steps]) => `w${wave} ${plural(steps, 'step')}`);
  if (unnamed !== 0) names.push(`others ${plural(unnamed, 'step')}`);
  const meanwhile = names.length === 0 ? 'no other wave runs after it' : `meanwhile ${names.join(', ')}`;
  const after = continues ? `continues with step ${grouped(continues)} of the run` : passed ? 'passed, but the run ends before it continues' : 'never passed';
  return `waits at the barrier from step ${grouped(step + others)} of the run; ${meanwhile}; ${after}`;
}

function barrierNote(cell) {
  const found = cell >= end ? [] : data.barriers.filter(({step}) => step >= firstStepOf(cell) && step <= lastStepOf(cell));
  if (found.length === 0) return '';
  return element('div', found.every(({passed}) => passed) ? 'barrier-note' : 'barrier-note bad',
    found.length === 1 ? barrierText(found[0]) : `waits at ${plural(found.length, 'barrier')} in these steps`);
}

/// Marks the barriers at which the wave waits: a line after the step, with the steps of the waves that ran meanwhile.
function drawBarriers(context, x, width) {
  const [notice, bad, page] = ['notice', 'bad', 'page'].map(colour);
  context.font = '11px system-ui, sans-serif';
  const marks = data.barriers.filter(({step}) => step >= timeline.first && step < afterLast)
    .map((barrier) => ({...barrier, left: x(barrier.step - timeline.first + 1)})).filter(({left}) => left >= 0 && left <= width);
  marks.forEach(({left, passed, ran, unnamed = 0}, i) => {
    const room = (marks[i + 1]?.left ?? Infinity) - left;
    // Many marks next to each other would cover the lanes.
    const isDense = Math.min(room, left - (marks[i - 1]?.left ?? -Infinity)) < 12;
    context.fillStyle = passed ? notice : bad;
    context.fillRect(left - 1, rulerHeight, isDense ? 1 : 2, (isDense && passed ? lanesTop : placeTop + placeHeight) - rulerHeight);
    const label = passed ? `+${grouped(ran.reduce((all, [, count]) => all + count, unnamed))}` : 'not passed';
    const size = context.measureText(label).width + 6;
    if (room < size + 4) return;
    const from = Math.min(left, width - size);
    context.fillRect(from, lanesTop, size, 15);
    context.fillStyle = page;
    context.fillText(label, from + 3, lanesTop + 11);
  });
}

/// Shows the waves with links, and the findings of other waves.
function showWaves() {
  const {run} = data;
  byId('meta').textContent = `${data.file} · ${data.target} · ${plural(run.steps, 'step')} of ${plural(run.wave_count, 'wave')}`;
  const box = element('nav', 'waves-box');
  box.setAttribute('aria-label', 'Waves');
  box.append(element('h2', '', `Waves (${grouped(run.wave_count)})`));
  const own = (wave) => wave.findings.filter((finding) => finding.wave === wave.number);
  const names = ({links, wave: owner}, number) => owner === number || links.some(({wave}) => wave === number);
  const isBad = ({findings, number}) => findings.some((finding) => finding.severity === 'bad' && names(finding, number));
  let list = null;
  let heading = null;
  for (const wave of run.waves) {
    const [name, group] = wave.name.split(' of ');
    const isAlone = run.waves.filter((other) => other.group === wave.group).length === 1;
    if (list === null || heading !== (isAlone ? '' : group)) {
      heading = isAlone ? '' : group;
      if (heading) box.append(element('p', 'faint', heading));
      list = box.appendChild(element('ul', 'wave-list'));
    }
    const link = list.appendChild(element('li')).appendChild(element('a', isBad(wave) ? 'has-bad' : ''));
    link.href = linkTo(wave.number);
    link.title = wave.name;
    const findings = own(wave).length;
    link.append(element('strong', '', `w${wave.number}`), ` ${!isAlone ? name : name === 'wave 0' ? group : wave.name}`,
      element('span', 'faint', `${plural(wave.steps, 'step')}${findings === 0 ? '' : `, ${plural(findings, 'warning')}`}`),
      element('span', wave.stop.kind, stopText(wave.stop)));
    if (wave.number === data.number) link.setAttribute('aria-current', 'true');
  }
  if (run.waves.length < run.wave_count) {
    box.append(element('p', 'faint', `Not recorded: ${plural(run.wave_count - run.waves.length, 'wave')}. salu report --wave N shows wave N.`));
  }
  byId('findings-box').before(box);
  box.scrollTop = box.querySelector('[aria-current]').offsetTop - box.clientHeight / 2;
  const others = run.waves.filter((wave) => wave.number !== data.number && own(wave).some((finding) => !names(finding, data.number)));
  for (const wave of others) {
    const item = byId('findings').appendChild(element('li', 'finding'));
    const kinds = [...new Set(own(wave).map(({kind}) => kind))].join(', ');
    const link = element('a', '', `${plural(own(wave).length, 'warning')} in w${wave.number}`);
    link.href = linkTo(wave.number);
    item.append(link, `: ${kinds}`);
  }
  if (others.length !== 0) byId('findings-box').hidden = false;
  byId('guess').before(element('p', 'faint', 'Steps are those of the wave. A vertical line is a barrier at which the wave waits, with the number of steps of other waves in the meantime; a red one is never passed.'));
  byId('lanes-title').textContent = `Time lines of w${data.number}, ${data.waveName}`;
  if (wasChosen) box.querySelector('[aria-current]').focus({preventScroll: true});
  addEventListener('hashchange', () => {
    history.replaceState(document.activeElement?.closest('.waves-box') ? 'chosen' : null, '');
    location.reload();
  });
}
