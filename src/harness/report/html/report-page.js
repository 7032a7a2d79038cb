// The page's script: shows the selected moment of a lane, by pointer or by keyboard. Everything it shows comes from the
// page's data and goes into the page as text. Without it the page still shows lanes, steps and diffs.

/** The number of the moment nearest to `x` per mille; -1 where there is none. */
function nearestMoment(moments, x) {
  let nearest = -1;
  moments.forEach(([at], index) => {
    if (nearest < 0 || Math.abs(at - x) < Math.abs(moments[nearest][0] - x)) nearest = index;
  });
  return nearest;
}

/**
 * Where a key leads from `place` ({row, panel, moment}); undefined for keys with no meaning here. `rows` says of every
 * row how many moments each panel has, and `isShown` which rows are on the page.
 */
function placeAfter(key, place, rows, isShown) {
  const {row, panel, moment} = place;
  const count = rows[row][panel].length;
  const aside = (step) => {
    const next = panel + step;
    if (rows[row][next] === undefined) return place;
    return {row, panel: next, moment: step < 0 ? rows[row][next].length - 1 : 0};
  };
  const along = (step) => {
    for (let next = row + step; next >= 0 && next < rows.length; next += step) {
      if (isShown(next)) return {row: next, panel, moment: nearestMoment(rows[next][panel], at(place, rows))};
    }
    return place;
  };
  switch (key) {
    case 'ArrowRight':
      return moment + 1 < count ? {row, panel, moment: moment + 1} : aside(1);
    case 'ArrowLeft':
      return moment > 0 ? {row, panel, moment: moment - 1} : aside(-1);
    case 'ArrowDown':
      return along(1);
    case 'ArrowUp':
      return along(-1);
    case 'Home':
      return {row, panel, moment: count > 0 ? 0 : -1};
    case 'End':
      return {row, panel, moment: count - 1};
    default:
      return undefined;
  }
}

function at({row, panel, moment}, rows) {
  return rows[row][panel][moment]?.[0] ?? 0;
}

/** A diff's lines with the class of each. */
function diffLines(text) {
  const looks = {'+': 'add', '-': 'del', '@': 'skip'};
  return text.split('\n').map((line) => {
    const look = looks[line.charAt(0)] ?? '';
    return {look, text: look === 'skip' ? `… ${line.slice(1)}` : line};
  });
}

/**
 * Lets the lanes below `root` tell their moments in `detail`. `data` is what page-data.ts makes; `onPin` hears of every
 * moment that is pinned: its chart, row and panel, and where it lies in per mille.
 */
export function attach(root, {texts, charts}, detail, onPin = (_pinned) => {}) {
  const state = {pinned: false, shown: undefined};

  const make = (tag, look, text) => {
    const made = document.createElement(tag);
    if (look !== '') made.className = look;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const show = (table, place) => {
    const {rows, panels} = charts[Number(table.dataset.chart)];
    const {row, panel, moment} = place;
    // Not over what it explains.
    detail.classList.toggle('left', panel > 0 && panel >= panels.length / 2);
    const moments = rows[row].moments[panel];
    const found = moments[moment];
    state.shown = {table, place};
    for (const other of root.querySelectorAll('table.lanes')) other.style.removeProperty('--cursor');
    root.querySelector('td.selected')?.classList.remove('selected');
    const cell = cellOf(table, place);
    cell.classList.add('selected');
    if (found === undefined) {
      detail.replaceChildren(
        make('h2', '', rows[row].titles[panel]),
        make('p', 'small', 'Nothing happens in this lane.'),
      );
      detail.hidden = false;
      return;
    }
    const [x, time, step, sentences, diff] = found;
    for (const other of table.querySelectorAll('td.track')) {
      const isSame = other.dataset.panel === String(panel);
      if (isSame) other.style.setProperty('--cursor', `${x / 10}%`);
      else other.style.removeProperty('--cursor');
    }
    const head = make('h2', '', rows[row].titles[panel]);
    const variant = panels[panel].title === '' ? '' : `${panels[panel].title}, `;
    const where = `${variant}${time}, step ${step} (${panels[panel].steps[step - 1] ?? ''}), moment ${moment + 1} of ${moments.length}`;
    const list = make('ul', '');
    for (const sentence of sentences) list.append(make('li', '', texts[sentence]));
    const parts = [head, make('p', 'small', where), list];
    if (diff >= 0) {
      const pre = make('pre', 'diff');
      pre.tabIndex = 0;
      for (const line of diffLines(texts[diff])) pre.append(make('span', line.look, `${line.text}\n`));
      parts.push(pre);
    }
    detail.replaceChildren(...parts);
    detail.classList.toggle('pinned', state.pinned);
    detail.hidden = false;
  };

  const hide = () => {
    state.pinned = false;
    state.shown = undefined;
    detail.hidden = true;
    root.querySelector('td.selected')?.classList.remove('selected');
    for (const cell of root.querySelectorAll('td.track')) cell.style.removeProperty('--cursor');
  };

  const cellOf = (table, {row, panel}) => table.querySelector(`td[data-row="${row}"][data-panel="${panel}"]`);

  const placeAt = (table, cell, event) => {
    const box = cell.getBoundingClientRect();
    const row = Number(cell.dataset.row);
    const panel = Number(cell.dataset.panel);
    const x = ((event.clientX - box.left) / box.width) * 1000;
    return {row, panel, moment: nearestMoment(charts[Number(table.dataset.chart)].rows[row].moments[panel], x)};
  };

  /** By the pointer any place is meant, by the keyboard the moment. */
  const pinned = (table, {row, panel, moment}, event) => {
    const chart = Number(table.dataset.chart);
    const box = cellOf(table, {row, panel}).getBoundingClientRect();
    const pointed = event === undefined ? undefined : ((event.clientX - box.left) / box.width) * 1000;
    onPin({chart, row, panel, x: pointed ?? charts[chart].rows[row].moments[panel][moment]?.[0] ?? 0});
  };

  const focus = (table, place) => {
    const cell = cellOf(table, place);
    for (const other of table.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus({preventScroll: true});
    cell.scrollIntoView({block: 'nearest'});
  };

  for (const table of root.querySelectorAll('table.lanes')) {
    const {rows} = charts[Number(table.dataset.chart)];
    const counts = rows.map(({moments}) => moments);
    const isShown = (row) => cellOf(table, {row, panel: 0}).offsetParent !== null;
    table.addEventListener('pointermove', (event) => {
      const cell = event.target.closest('td[data-row]');
      if (cell !== null && !state.pinned) show(table, placeAt(table, cell, event));
    });
    table.addEventListener('pointerleave', () => {
      if (!state.pinned) hide();
    });
    table.addEventListener('click', (event) => {
      const cell = event.target.closest('td[data-row]');
      if (cell === null) return;
      state.pinned = true;
      const place = placeAt(table, cell, event);
      focus(table, place);
      show(table, place);
      pinned(table, place, event);
    });
    table.addEventListener('focusin', (event) => {
      const cell = event.target.closest('td[data-row]');
      if (cell === null || state.shown?.table === table) return;
      show(table, {row: Number(cell.dataset.row), panel: Number(cell.dataset.panel), moment: 0});
    });
    table.addEventListener('keydown', (event) => {
      const cell = event.target.closest('td[data-row]');
      if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const here = {row: Number(cell.dataset.row), panel: Number(cell.dataset.panel), moment: 0};
      const place = state.shown?.table === table ? state.shown.place : here;
      if (event.key === 'Enter' || event.key === ' ') state.pinned = !state.pinned;
      const next = event.key === 'Enter' || event.key === ' ' ? place : placeAfter(event.key, place, counts, isShown);
      if (next === undefined) return;
      event.preventDefault();
      state.pinned = state.pinned || event.key.startsWith('Arrow');
      focus(table, next);
      show(table, next);
      if (event.key === 'Enter' || event.key === ' ') pinned(table, next);
    });
  }
  root.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
  });
}

// On a report the data stands in the page.
const data = globalThis.document?.getElementById('data') ?? null;
if (data !== null) attach(document, JSON.parse(data.textContent), document.getElementById('detail'));
