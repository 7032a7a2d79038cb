import {chaptersOf, timeText} from '../condense.ts';
import {addressOf} from '../lanes/address.ts';
import type {Chart, Panel} from '../lanes/chart.ts';
import {decisionsOf, decisionTexts, isNotable} from '../lanes/decisions.ts';
import {isLoss, type Version} from '../lanes/history.ts';
import {objectDiff} from '../object-diff.ts';
import {objectText, plural} from '../words.ts';
import {diffHtml} from './diff.ts';
import {element, type Html} from './element.ts';

// The story in words, step by step, variants beside each other: what happened, what functions decided, and what the step
// changed in every object.

export function stepsHtml({panels}: Chart, chart: number): Html {
  const columns = panels.map(stepColumns);
  const count = Math.max(0, ...columns.map((column) => column.length));
  const sections = Array.from({length: count}, (_, step) => {
    const shared = sharedTexts(columns.map((column) => column[step]?.lines ?? []));
    const first = panels.map(({axis}) => axis.steps[step]).find((one) => one !== undefined);
    return element(
      'section',
      {id: `chart-${chart}-step-${step + 1}`, class: 'step-story'},
      element('h3', {}, `${step + 1}. ${first?.name ?? ''}`),
      element(
        'div',
        {class: 'columns'},
        ...panels.map(({run}, index) => columnHtml(run.variant, columns[index]?.[step], shared)),
      ),
    );
  });
  return element('div', {class: 'steps'}, element('h2', {}, 'Step by step'), ...sections);
}

interface StepColumn {
  readonly lines: readonly {readonly time: string; readonly text: string}[];
  readonly decisions: readonly {readonly title: string; readonly texts: readonly string[]}[];
  readonly changes: readonly {readonly title: string; readonly diff: readonly string[]}[];
}

function stepColumns({run}: Panel): readonly StepColumn[] {
  const decisions = decisionsOf(run.history.calls);
  const steps = changesByStep(run.history.before, run.history.versions);
  return chaptersOf(run.timeline).map(({lines}, step) => ({
    lines: lines.map(({atMs, text}) => ({time: timeText(atMs), text})),
    decisions: decisions
      .filter((decision) => decision.step === step && isNotable(decision))
      .map((decision) => ({
        title: `${timeText(decision.atMs)} ${decision.target}, reconcile ${decision.reconcile}`,
        texts: decisionTexts(decision),
      })),
    changes: steps.get(step) ?? [],
  }));
}

/** Of every step the objects it changed, from how the step found them to how it left them. */
function changesByStep(
  before: readonly Version['object'][],
  versions: readonly Version[],
): ReadonlyMap<number, StepColumn['changes']> {
  const now = new Map(before.map((object) => [addressOf(object), object]));
  const changes = new Map<number, StepColumn['changes']>();
  for (const [step, own] of Map.groupBy(versions, (version) => version.step)) {
    const list = [...Map.groupBy(own, ({object}) => addressOf(object))].map(([address, history]) => {
      const found = now.get(address);
      const last = history.at(-1);
      const isGone = last?.type === 'DELETED';
      const kept = history.findLast((version) => version.type !== 'DELETED' && !isLoss(version));
      if (kept !== undefined) now.set(address, kept.object);
      const after = isGone ? undefined : last?.object;
      const wasLost = history[0]?.type === 'ADDED' && found !== undefined;
      const what = isGone
        ? 'gone'
        : found === undefined
          ? 'new'
          : wasLost
            ? 'back, compared with what was lost'
            : 'changed';
      return {
        title: `${objectText(last?.object ?? history[0]?.object ?? own[0]?.object ?? ({} as never))}: ${what}`,
        diff: after === undefined ? [] : objectDiff(found, after),
      };
    });
    changes.set(step, list);
  }
  return changes;
}

/** What every variant tells alike: nothing to look at first. */
function sharedTexts(columns: readonly StepColumn['lines'][]): ReadonlySet<string> {
  const [first = [], ...others] = columns.map((lines) => lines.map(({text}) => text));
  return new Set(others.length === 0 ? [] : first.filter((text) => others.every((texts) => texts.includes(text))));
}

function columnHtml(variant: string, column: StepColumn | undefined, shared: ReadonlySet<string>): Html {
  const {lines, decisions, changes} = column ?? {lines: [], decisions: [], changes: []};
  const shown = changes.filter(({diff, title}) => diff.length > 0 || title.endsWith('gone'));
  return element(
    'div',
    {class: 'column'},
    variant === '' ? '' : element('h4', {}, variant),
    lines.length === 0
      ? element('p', {class: 'small'}, 'Nothing worth telling happened.')
      : element(
          'ol',
          {class: 'lines'},
          ...lines.map(({time, text}) =>
            element('li', {class: shared.has(text) ? 'same' : undefined}, element('time', {}, time), text),
          ),
        ),
    decisions.length === 0
      ? ''
      : foldHtml(`${decisions.length} function decision${plural(decisions)}`, decisions.map(decisionHtml)),
    shown.length === 0 ? '' : foldHtml(`${shown.length} object${plural(shown)} changed`, shown.map(changeHtml)),
  );
}

function foldHtml(title: string, content: readonly Html[]): Html {
  return element('details', {}, element('summary', {}, title), ...content);
}

function decisionHtml({title, texts}: StepColumn['decisions'][number]): Html {
  const items = texts.map((text) => element('li', {}, text));
  return element('div', {class: 'decision'}, element('b', {}, title), element('ul', {}, ...items));
}

function changeHtml({title, diff}: StepColumn['changes'][number]): Html {
  if (diff.length === 0) return element('p', {class: 'change'}, title);
  return element('details', {class: 'change'}, element('summary', {}, title), diffHtml(diff));
}
