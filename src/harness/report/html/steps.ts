// The story in words, step by step, variants beside each other. Lines that all variants share are grey or stand once, so that
// the difference stands out.

import {counted} from '../../input/listed.ts';
import type {Chart} from '../lanes/chart.ts';
import {diffHtml} from './banner.ts';
import {element, type Html} from './element.ts';
import {type StepColumn, stepColumns, withoutShared} from './step-columns.ts';

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
