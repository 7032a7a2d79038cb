// The playground's page. Its state is a workspace and a moment; whatever is done makes another workspace, which is run
// at once from its beginning (the same texts always tell the same story), and the moment stays.

import {parse} from 'yaml';
import inputSchema from '../../docs/input.schema.json' with {type: 'json'};
import scenarioSchema from '../../docs/scenario.schema.json' with {type: 'json'};
import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {type Chart, chartOf, type RecordedRun} from '../../src/harness/report/lanes/chart.ts';
import type {Schema} from './completion.ts';
import {type Editor, openEditor, type Problem} from './editor.ts';
import {exported} from './export.ts';
import {inputProblem} from './input-problems.ts';
import {type Intervention, intervene} from './intervene.ts';
import type {Said, Wanted} from './look.ts';
import {instantAt, isRunningAt, stopsOf} from './moments.ts';
import {fragmentOf, workspaceIn} from './share.ts';
import {actionMs, tell} from './tell.ts';
import {byId, type Living, livingAt, make, showChart, showMoment} from './view.ts';
import {overwrittenSentence, type StoryTexts, textsOf, type Workspace, withText} from './workspace.ts';

const known = {scenario: scenarioSchema as unknown as Schema, input: inputSchema as unknown as Schema};
/** A story plays in so many seconds, whatever its virtual time. */
const playSeconds = 20;
const typingMs = 500;

const stories = (await (await fetch('stories.json')).json()) as readonly StoryTexts[];
const firstStory = stories[0] as StoryTexts;

let workspace: Workspace = (await workspaceIn(location.hash.slice(1), stories)) ?? opened(firstStory);
let undone: Workspace[] = [];
let runs: readonly RecordedRun[] = [];
let chart: Chart = {panels: [], groups: []};
let x = 0;
/** The panel whose time counts where something is put. */
let panel = 0;
let file = workspace.story.scenario;
let timer: ReturnType<typeof setInterval> | undefined;
let worker: Worker | undefined;
let found = '';

const editor: Editor = openEditor(byId('editor'), known, () => textsOf(workspace), typed);

function opened(story: StoryTexts, crossplane: ProfileName = story.crossplane.at(-1) ?? 'main'): Workspace {
  return {story, crossplane, changed: {}};
}

/** Goes on with another workspace. What cannot be read is said, and the last run stays. */
function become(next: Workspace, keep: 'undo' | 'forget' = 'undo'): void {
  if (keep === 'undo') undone = [...undone, workspace];
  workspace = next;
  run();
  showChoices();
}

function run(): void {
  stopExploring();
  try {
    runs = tell(workspace);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    showProblem(problemOf(error));
    return;
  }
  showProblem(inputProblem(textsOf(workspace)));
  chart = chartOf(runs);
  panel = Math.min(panel, Math.max(0, chart.panels.length - 1));
  showChart(chart, ({panel: pinned, x: perMille}) => {
    panel = pinned;
    pause();
    goTo(perMille / 1000);
  });
  goTo(x);
  const variants = runs.map(({variant, scenario}) => variant || scenario);
  byId('explore-variant').replaceChildren(...variants.map((name) => new Option(name, name)));
}

function problemOf(error: InputError): Problem {
  const match = /^(.*):(\d+):(\d+)$/.exec(error.place);
  const [, path = file, line = '1', column = '1'] = match ?? [];
  return {file: path, line: Number(line), column: Number(column), message: error.message};
}

function showProblem(problem: Problem | undefined): void {
  byId('problem').textContent = problem?.message ?? '';
  editor.complain(problem);
}

function goTo(next: number): void {
  x = Math.min(1, Math.max(0, next));
  showMoment(chart, x);
  showPossible();
}

/** A process that does not run cannot crash or fall behind, and nothing can be edited where nothing lives. */
function showPossible(): void {
  const here = chart.panels[panel];
  const runsHere = (name: string): boolean => here !== undefined && isRunningAt(chart, panel, name, instantAt(here, x));
  const possible: {readonly [id: string]: boolean} = {
    'put-crash': runsHere('crossplane'),
    'put-stale': runsHere('crossplane'),
    'put-provider': runsHere('provider'),
    'put-edit': livingAt(chart, x).length > 0,
  };
  for (const [id, isPossible] of Object.entries(possible)) byId<HTMLButtonElement>(id).disabled = !isPossible;
}

function play(): void {
  if (x >= 1) x = 0;
  let lastMs = performance.now();
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  timer = setInterval(
    () => {
      const nowMs = performance.now();
      goTo(x + (nowMs - lastMs) / 1000 / playSeconds);
      lastMs = nowMs;
      if (x >= 1) pause();
    },
    isCalm ? 1000 : 40,
  );
  byId('play').textContent = 'Pause';
}

function pause(): void {
  clearInterval(timer);
  timer = undefined;
  byId('play').textContent = 'Play';
}

function stop(direction: 1 | -1): void {
  pause();
  const stops = stopsOf(chart);
  const near = 1e-6;
  goTo((direction > 0 ? stops.find((one) => one > x + near) : stops.findLast((one) => one < x - near)) ?? x);
}

/** Puts something into the story at this moment, and runs on from there. */
function put(intervention: Intervention): void {
  const here = chart.panels[panel];
  if (here === undefined) return;
  pause();
  const {step, atMs} = instantAt(here, x);
  const moment = {step, afterMs: atMs - (here.axis.steps[step]?.atMs ?? 0)};
  const path = workspace.story.scenario;
  const text = intervene(textsOf(workspace)[path] ?? '', moment, intervention, actionMs(workspace, step));
  file = path;
  become(withText(workspace, path, text));
  const after = chart.panels[panel]?.axis.steps[step + 1];
  goTo(after?.from ?? x);
  status(`${byId('now').textContent ?? ''}: put into the story. Play goes on from here.`);
}

function typed(path: string, text: string): void {
  const next = withText(workspace, path, text);
  clearTimeout(typing);
  typing = setTimeout(() => {
    become(next);
    status(overwrittenSentence(workspace, path) ?? '');
  }, typingMs);
}
let typing: ReturnType<typeof setTimeout> | undefined;

function showChoices(): void {
  const {story, crossplane, changed} = workspace;
  byId<HTMLSelectElement>('story').value = story.id;
  byId('crossplane').replaceChildren(
    ...story.crossplane.map((name) => new Option(name, name, false, name === crossplane)),
  );
  byId('about').textContent = story.description;
  byId<HTMLButtonElement>('undo').disabled = undone.length === 0;
  byId<HTMLButtonElement>('reset').disabled = Object.keys(changed).length === 0;
  const texts = textsOf(workspace);
  if (texts[file] === undefined) file = story.scenario;
  byId('tabs').replaceChildren(
    ...Object.keys(texts).map((path) => {
      const tab = make('button', '', changed[path] === undefined ? path : `${path} (changed)`);
      tab.type = 'button';
      tab.dataset['file'] = path;
      tab.setAttribute('aria-pressed', String(path === file));
      return tab;
    }),
  );
  editor.open(file, texts[file] ?? '');
}

/** The heading of a story in the list, by its folder. */
function groupTitle(id: string): string {
  const titles: {readonly [folder: string]: string} = {
    'restore-orphan': 'Restores',
    'usage-left-behind': 'Usages and order',
    'dead-watch': 'Watches',
    handover: 'Moves to another name or kind',
    rename: 'Moves to another name or kind',
    'split-xr': 'Moves to another XR',
    'v1-to-v2': 'From Crossplane 1 to 2',
    hazards: 'Hazards',
    'lost-external-name': 'External names',
    'provider-upgrade': 'Providers',
    'xrd-after-crds': 'Definitions',
  };
  const [folder = ''] = id.split('/');
  return titles[folder] ?? folder;
}

function status(text: string): void {
  byId('status').textContent = text;
}

async function share(): Promise<void> {
  location.hash = await fragmentOf(workspace);
  const isCopied = await navigator.clipboard.writeText(location.href).then(
    () => true,
    () => false,
  );
  status(isCopied ? 'The link is copied. It holds the whole story.' : 'The link stands in the address bar.');
}

function save(): void {
  const text = exported(workspace, runs);
  const link = make('a', '');
  link.href = URL.createObjectURL(new Blob([text], {type: 'application/yaml'}));
  link.download = `${workspace.story.name}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
  status(
    `Saved ${link.download}. Run it in a clone with: npm run tether -- test ${link.download}. After the first release: npx function-tether test ${link.download}`,
  );
}

function openEdit(): void {
  pause();
  const living = livingAt(chart, x);
  byId('edit-object').replaceChildren(...living.map(({title}, index) => new Option(title, String(index))));
  byId('edit-problem').textContent =
    living.length === 0 ? 'Nothing lives at this moment that a person could edit.' : '';
  const patch = byId<HTMLTextAreaElement>('edit-patch');
  if (patch.value === '') patch.value = 'metadata:\n  labels:\n    edited: by-hand\n';
  const dialog = byId<HTMLDialogElement>('edit');
  dialog.returnValue = 'cancel';
  dialog.showModal();
  dialog.onclose = () => putEdit(dialog.returnValue, living);
}

function putEdit(choice: string, living: readonly Living[]): void {
  const chosen = living[Number(byId<HTMLSelectElement>('edit-object').value)];
  if (chosen === undefined || choice === 'cancel') return;
  const {target} = chosen;
  if (choice === 'delete') return put({kind: 'delete', target});
  try {
    put({kind: 'edit', target, patch: parse(byId<HTMLTextAreaElement>('edit-patch').value) as unknown});
  } catch (error) {
    status(`The patch is no YAML: ${(error as Error).message}`);
  }
}

function startExploring(): void {
  const variant = byId<HTMLSelectElement>('explore-variant').value;
  worker = new Worker('explore-worker.js', {type: 'module'});
  byId('explore').textContent = 'Stop';
  byId('found').hidden = true;
  byId('explored').textContent = 'Looking…';
  worker.onmessage = ({data}: MessageEvent<Said>) => showSaid(data);
  worker.onerror = () => showSaid({kind: 'refused', sentence: 'The search ended with an error.'});
  worker.postMessage({workspace, variant} satisfies Wanted);
}

function showSaid(said: Said): void {
  const line = byId('explored');
  if (said.kind === 'progress') {
    line.textContent = `Looking… ${said.states} states seen.`;
    return;
  }
  stopExploring();
  if (said.kind === 'refused') line.textContent = said.sentence;
  else if (said.kind === 'none')
    line.textContent = `No bad story in ${said.states} states${said.whole ? ', which are all within these bounds' : ''}.`;
  else {
    line.textContent = `Does not hold: ${said.property}`;
    byId('found-lines').textContent = said.lines.join('\n');
    byId('found').hidden = false;
    found = said.scenario;
  }
}

function stopExploring(): void {
  worker?.terminate();
  if (worker !== undefined) byId('explored').textContent = 'Stopped.';
  worker = undefined;
  byId('explore').textContent = 'Look for it';
}

const actions: {readonly [id: string]: () => void} = {
  first: () => stopAt(0),
  last: () => stopAt(1),
  back: () => stop(-1),
  next: () => stop(1),
  play: () => (timer === undefined ? play() : pause()),
  share: () => void share(),
  export: save,
  undo: () => {
    const before = undone.at(-1);
    undone = undone.slice(0, -1);
    if (before !== undefined) become(before, 'forget');
  },
  reset: () => become(opened(workspace.story, workspace.crossplane)),
  'put-crash': () => put({kind: 'crash'}),
  'put-provider': () => put({kind: 'provider-restart'}),
  'put-stale': () => put({kind: 'stale-cache'}),
  'put-edit': openEdit,
  explore: () => (worker === undefined ? startExploring() : stopExploring()),
  'found-load': () => {
    file = workspace.story.scenario;
    x = 0;
    become(withText(workspace, file, found));
    byId('run-title').scrollIntoView();
  },
};

function stopAt(place: 0 | 1): void {
  pause();
  goTo(place);
}

for (const [id, act] of Object.entries(actions)) byId(id).addEventListener('click', act);
byId('moment').addEventListener('input', ({target}) => {
  pause();
  goTo(Number((target as HTMLInputElement).value) / 1000);
});
byId('story').append(
  ...[...Map.groupBy(stories, ({id}) => groupTitle(id))].map(([title, members]) => {
    const group = make('optgroup', '', ...members.map(({id, description}) => new Option(description, id)));
    group.label = title;
    return group;
  }),
);
byId('story').addEventListener('change', ({target}) => {
  const story = stories.find(({id}) => id === (target as HTMLSelectElement).value) ?? firstStory;
  x = 0;
  file = story.scenario;
  become(opened(story));
});
byId('crossplane').addEventListener('change', ({target}) => {
  become({...workspace, crossplane: (target as HTMLSelectElement).value as ProfileName});
});
byId('tabs').addEventListener('click', ({target}) => {
  const path = (target as HTMLElement).closest('button')?.dataset['file'];
  if (path === undefined) return;
  file = path;
  showChoices();
  byId('tabs').querySelector<HTMLButtonElement>('[aria-pressed="true"]')?.focus();
});
addEventListener('hashchange', () => {
  void workspaceIn(location.hash.slice(1), stories).then((shared) => {
    if (shared !== undefined && JSON.stringify(shared) !== JSON.stringify(workspace)) become(shared);
  });
});
addEventListener('keydown', (event) => {
  if (event.altKey && event.key.toLowerCase() === 'p') {
    event.preventDefault();
    byId('play').click();
  }
});

run();
showChoices();
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) play();
