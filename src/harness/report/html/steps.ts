// The story in words, step by step, variants beside each other. Lines that all variants share are grey or stand once, so that
// the difference stands out.

import {addressOf} from '../../../cluster/object.ts';
import {chaptersOf, timeText} from '../../control-plane/record/condense.ts';
import {type History, isLoss, type Version} from '../../control-plane/record/history.ts';
import {objectText} from '../../control-plane/record/words.ts';
import {counted} from '../../input/listed.ts';
import type {Chart, RecordedRun} from '../lanes/chart.ts';
import {decisionsOf, decisionTexts, isNotable} from '../lanes/decisions.ts';
import {objectDiff} from '../object-diff.ts';
import {diffHtml} from './banner.ts';
import {element, type Html} from './element.ts';

export function stepsHtml({panels}: Chart, chart: number): Html {
  const columns = panels.map(({run}) => stepColumns(run));
  const count = Math.max(0, ...columns.map((column) => column.length));
  const sections = Array.from({length: count}, (_, step) => {
    const name = panels.map(({axis}) => axis.steps[step]?.name).find((one) => one !== undefined) ?? '';
    const inStep = columns.map((column) => column[step] ?? nothing);
    return element(
      'section',
      {id: `chart-${chart}-step-${step + 1}`, class: 'step-story'},
      element('h3', {}, `${step + 1}. ${name}`),
      ...storyHtml(
        panels.map(({run}) => run.variant),
        inStep,
      ),
    );
  });
  return element('div', {class: 'steps'}, element('h2', {}, 'Step by step'), ...sections);
}

const nothing: StepColumn = {failures: [], lines: [], decisions: [], changes: []};

function storyHtml(variants: readonly string[], columns: readonly StepColumn[]): readonly Html[] {
  const texts = sharedTexts(columns.map(({lines}) => lines));
  const {shared, own} = withoutShared(columns.map(({changes}) => changes));
  const parts = columns.map((column, index) =>
    columnHtml(variants[index] ?? '', {...column, changes: own[index] ?? []}, texts, shared.length > 0),
  );
  const both =
    shared.length === 0 ? [] : [foldHtml(`${counted(shared.length, 'object')} changed alike`, shared.map(changeHtml))];
  return [element('div', {class: 'columns'}, ...parts), ...both];
}

function sharedTexts(columns: readonly StepColumn['lines'][]): ReadonlySet<string> {
  const [first = [], ...others] = columns.map((lines) => lines.map(({text}) => text));
  return new Set(others.length === 0 ? [] : first.filter((text) => others.every((texts) => texts.includes(text))));
}

function columnHtml(
  variant: string,
  {failures, lines, decisions, changes}: StepColumn,
  shared: ReadonlySet<string>,
  hasShared: boolean,
): Html {
  const changed = `${counted(changes.length, hasShared ? 'other object' : 'object')} changed`;
  return element(
    'div',
    {class: 'column'},
    variant === '' ? '' : element('h4', {}, variant),
    failures.length === 0 ? '' : element('ul', {class: 'failures'}, ...failures.map((text) => element('li', {}, text))),
    lines.length === 0
      ? element('p', {class: 'small'}, 'Nothing of note happened.')
      : element('ol', {class: 'lines'}, ...lines.map((line) => lineHtml(line, shared))),
    decisions.length === 0 ? '' : foldHtml(counted(decisions.length, 'function decision'), decisions.map(decisionHtml)),
    changes.length === 0 ? '' : foldHtml(changed, changes.map(changeHtml)),
  );
}

function lineHtml({time, text}: StepColumn['lines'][number], shared: ReadonlySet<string>): Html {
  return element('li', {class: shared.has(text) ? 'same' : undefined}, element('time', {}, time), text);
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

// The content of each step of a run: its lines, decisions of functions, changes of every object, and failures.

interface StepColumn {
  readonly failures: readonly string[];
  readonly lines: readonly {readonly time: string; readonly text: string}[];
  readonly decisions: readonly {readonly title: string; readonly texts: readonly string[]}[];
  readonly changes: readonly ObjectChange[];
}

interface ObjectChange {
  readonly title: string;
  /** As object-diff.ts writes it; empty for what is gone. */
  readonly diff: readonly string[];
}

function stepColumns({timeline, history, failures}: RecordedRun): readonly StepColumn[] {
  const decisions = decisionsOf(history.calls);
  const changes = changesByStep(history);
  return chaptersOf(timeline).map(({lines}, step) => ({
    failures: failures.filter(({stepNumber}) => stepNumber === step + 1).map(({message}) => message),
    lines: lines.map(({atMs, text}) => ({time: timeText(atMs), text})),
    decisions: decisions
      .filter((decision) => decision.step === step && isNotable(decision))
      .map((decision) => ({
        title: `${timeText(decision.atMs)} ${decision.target}, reconcile ${decision.reconcile}`,
        texts: decisionTexts(decision),
      })),
    changes: changes.get(step) ?? [],
  }));
}

/** The lines that all columns share, and each column without them. */
function withoutShared(columns: readonly (readonly ObjectChange[])[]): {
  readonly shared: readonly ObjectChange[];
  readonly own: readonly (readonly ObjectChange[])[];
} {
  const keyOf = ({title, diff}: ObjectChange): string => `${title}\n${diff.join('\n')}`;
  const [first = [], ...others] = columns.map((changes) => new Set(changes.map(keyOf)));
  const common = new Set(others.length === 0 ? [] : [...first].filter((key) => others.every((keys) => keys.has(key))));
  return {
    shared: (columns[0] ?? []).filter((change) => common.has(keyOf(change))),
    own: columns.map((changes) => changes.filter((change) => !common.has(keyOf(change)))),
  };
}

/** Of every step the objects it changed, from how the step found them to how it left them. */
function changesByStep({before, versions}: History): ReadonlyMap<number, readonly ObjectChange[]> {
  const now = new Map(before.map((object) => [addressOf(object), object]));
  const changes = new Map<number, readonly ObjectChange[]>();
  for (const [step, own] of Map.groupBy(versions, (version) => version.step)) {
    const list = [...Map.groupBy(own, ({object}) => addressOf(object))].map(([address, history]) => {
      const found = now.get(address);
      const kept = history.findLast((version) => version.type !== 'DELETED' && !isLoss(version));
      if (kept !== undefined) now.set(address, kept.object);
      return changeOf(found, history);
    });
    changes.set(
      step,
      list.filter((change) => change !== undefined),
    );
  }
  return changes;
}

/** `found` is how the step found the object; undefined where nothing of it shows. */
function changeOf(found: Version['object'] | undefined, history: readonly Version[]): ObjectChange | undefined {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const name = objectText(last.object);
  if (last.type === 'DELETED') return {title: `${name}: gone`, diff: []};
  const diff = objectDiff(found, last.object);
  if (diff.length === 0) return undefined;
  const wasLost = first.type === 'ADDED' && found !== undefined;
  const what = found === undefined ? 'new' : wasLost ? 'back, compared with what was lost' : 'changed';
  return {title: `${name}: ${what}`, diff};
}
