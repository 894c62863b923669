// Lists beside the time lines. Every view highlights the items of the selected cell, and those of the cell under the
// pointer.

/// A list with one Tab stop; arrow keys move between items, Enter and a click select.
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

/// Formats a percentage; 0 % and 100 % are only shown if exact.
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

/// The places `file:12` with known text.
const sourceLines = new Set((data.sources ?? []).flatMap(({file, first, lines}) => lines.map((_, i) => `${file}:${first + i}`)));

/// Shows the source next to the assembly; a source line links to its instructions.
function makeSource(choose) {
  const linesOf = new Map();
  data.program.forEach((line, index) => {
    if (line.source) linesOf.set(line.source, [...(linesOf.get(line.source) ?? []), index]);
  });
  const box = byId('source-lines');
  const items = [];
  for (const {file, first, lines} of data.sources ?? []) {
    if ((data.sources ?? []).length > 1) box.append(element('div', 'file', file));
    else byId('source-text').textContent = file;
    // Remove the common indentation.
    const indents = lines.filter((text) => text.trim() !== '').map((text) => /^\s*/.exec(text)[0].length);
    const indent = indents.length === 0 ? 0 : Math.min(...indents);
    const own = lines.map((text, i) => {
      const row = element('div', 'source-line');
      const indices = linesOf.get(`${file}:${first + i}`) ?? [];
      if (indices.length === 0) row.classList.add('without-code');
      row.append(element('span', 'number', String(first + i)), element('span', 'code', text.slice(indent) || ' '));
      return {element: row, indices};
    });
    makeList(box, own, (item) => choose(item.indices));
    items.push(...own);
  }
  byId('source').hidden = items.length === 0;
  return items;
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
    if (line.source && !sourceLines.has(line.source)) row.append(element('span', 'source', line.source));
    return {element: row, index};
  });
  makeList(byId('listing'), items, (item) => choose(item.index));
  return items;
}

function smallLanes(mask, colourNumber = 0) {
  const box = element('span', `lanes-small path-${colourNumber}`);
  const lanes = BigInt('0x' + mask);
  for (let lane = 0; lane < 64; ++lane) box.append(element('i', (lanes >> BigInt(lane)) & 1n ? 'on' : ''));
  return box;
}

function makeForks(choose) {
  const items = [];
  const forks = data.forks.list;
  const add = (depth, step, last, line, ...parts) => {
    const row = element('div', 'row');
    row.style.paddingLeft = `${10 + Math.min(depth, 12) * 16}px`;
    row.append(...parts);
    items.push({element: row, step, last, line});
  };
  const times = (fork) => (fork.count > 1 ? ` ×${grouped(fork.count)}` : '');
  const show = (index, depth) => {
    const fork = forks[index];
    const join = fork.join === null ? 'never joined' : `joined at ${placeName(fork.join_line, fork.join)}`;
    add(depth, fork.step, fork.step, fork.line,
      `fork at ${placeName(fork.line, fork.pc)}${times(fork)} (entry ${fork.entry}, step ${grouped(fork.step)}), ${join}`);
    fork.sides.forEach((side, number) => {
      const ran = side.first === 0 ? 'never ran' : plural(side.steps, 'step');
      const lanes = popcount(BigInt('0x' + side.mask));
      add(depth + 1, side.first, side.last, side.line, `${number === 0 ? 'first' : 'then'} `,
        element('strong', '', placeName(side.line, side.pc)), smallLanes(side.mask, data.forks.merged ? 0 : paths[sidePaths[index][number]].colour),
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
    ? 'No forks in this run. Divergence through saveexec and branches on EXECZ is shown in the lanes above.'
    : `${plural(data.forks.splits, 'fork')} split the lanes. The smaller side runs first; the other waits on the control stack.`;
  byId('forks').hidden = items.length === 0;
  makeList(byId('forks'), items, choose);
  return items;
}

/// Shows one row per register; selecting one goes to the step that wrote its value.
function makeWaves(choose) {
  const box = byId('registers');
  const rows = registers.map((register) => {
    const row = element('div', 'wave');
    const value = element('span', 'value');
    const wave = element('div', 'plot');
    row.append(element('span', 'name', register.name + (register.lost ? ' ?' : '')), wave, value);
    addPlot(wave, null, drawWave(register));
    return {element: row, register, value};
  });
  makeList(box, rows, choose);
  byId('registers-text').textContent = rows.length === 0
    ? 'This part of the run writes no register.'
    : 'Values change one step after the instruction that writes them. Click a value to go to the step that wrote it.'
      + (rows.some((row) => row.register.lost)
        ? ' ? marks what depends on vector instructions that were skipped: its values are a guess.' : '');
  box.hidden = rows.length === 0;
  return rows;
}

/// Shows the final state, with two dwords as one value if they were only used as a pair.
function finalEntries() {
  const joined = [];
  const list = data.final.registers;
  for (let i = 0; i < list.length; ++i) {
    const [low, high] = [list[i], list[i + 1]];
    const [, letters, digits] = /^([a-z]+)(\d+)$/.exec(low.name) ?? [];
    if (!low.pair || high?.name !== `${letters}${Number(digits) + 1}` || low.undefined !== high.undefined) {
      joined.push({...low, names: [low.name, `${low.name}_lo`, `${low.name}_hi`]});
      continue;
    }
    ++i;
    const value = (entry, text) => (text === undefined ? entry.value : text).replace(/^0x/, '');
    const pair = {name: `${letters}[${digits}:${Number(digits) + 1}]`, names: [low.name, high.name], step: Math.max(low.step ?? 0, high.step ?? 0)};
    pair.value = `0x${value(high)}${value(low)}`;
    pair.undefined = low.undefined;
    pair.changed = low.changed || high.changed;
    const before = (entry) => (entry.changed ? entry.before : entry.value);
    if (before(low) !== undefined && before(high) !== undefined) pair.before = `0x${value(high, before(high))}${value(low, before(low))}`;
    joined.push(pair);
  }
  return joined;
}

function makeFinal(choose) {
  const items = finalEntries().map((entry) => {
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
    const isOf = (register) => register.dwords.some((name) => entry.names.includes(name));
    return {element: row, entry, step: entry.step ?? 0, registers: registers.filter(isOf)};
  });
  makeList(byId('final'), items, choose);
  byId('only-changed').addEventListener('change', (event) => {
    for (const item of items) item.element.hidden = event.target.checked && !item.entry.changed;
  });
  const words = data.final.memory.map(({at: address, before, value, step, wave}) => {
    const row = element('div', 'row word');
    for (const text of [address, before, value]) row.append(element('span', '', text));
    return {element: row, step: step ?? 0, wave: wave ?? data.number};
  });
  byId('memory').hidden = words.length === 0;
  makeList(byId('memory-words'), words, choose);
  return items;
}

/// Shows a fault, failed expectations and warnings, each with its steps and instructions.
function makeFindings(choose) {
  const box = byId('findings');
  for (const finding of data.findings) {
    const item = box.appendChild(element('li', `finding ${finding.severity}`));
    item.append(element('strong', 'kind', finding.kind), ' ', element('span', '', finding.text));
    const facts = Object.entries(finding.facts).map(([name, value]) => `${name} ${value}`);
    if (finding.detail) item.append(element('div', '', finding.detail));
    if (facts.length !== 0) item.append(element('div', 'faint', facts.join(' · ')));
    const links = item.appendChild(element('div', 'links'));
    for (const link of finding.links) {
      const {program, steps} = isHere(link) ? data : data.waves.find(({number}) => number === link.wave) ?? {program: []};
      const line = program[link.line];
      const step = link.step === 0 ? '' : link.step > steps ? ', the end' : `, step ${grouped(link.step)}`;
      const button = links.appendChild(element('button', 'link',
        `${data.waves ? `w${link.wave} ` : ''}${link.name}: ${line ? `${line.text} at ` : ''}${line?.labels?.[0] ?? link.pc}${step}`));
      button.type = 'button';
      button.disabled = link.step === 0 && link.line < 0;
      button.addEventListener('click', () => choose(link));
    }
  }
  // The list may be longer than its visible part.
  if (data.findings.length > 1) byId('findings-title').textContent = `Findings (${grouped(data.findings.length)})`;
  byId('findings-box').hidden = data.findings.length === 0;
}
