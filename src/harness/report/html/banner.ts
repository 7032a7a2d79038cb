// The verdict: of the whole page in one line, and of each run on a card.

import {doubledExternals} from '../../control-plane/oracle/externals.ts';
import {plural} from '../../control-plane/record/words.ts';
import {durationText} from '../../input/duration.ts';
import type {Difference} from '../../scenario/check.ts';
import {closingText} from '../closing.ts';
import type {RecordedRun} from '../lanes/chart.ts';
import {differenceText} from '../object-diff.ts';
import {element, type Html} from './element.ts';

export function bannerHtml(runs: readonly RecordedRun[]): Html {
  const failed = runs.filter(({failures}) => failures.length > 0).length;
  const ok = failed === 0 && runs.length > 0;
  const text =
    runs.length === 0
      ? 'No run: nothing was checked.'
      : ok
        ? `${['The run', 'Both runs'][runs.length - 1] ?? `All ${runs.length} runs`} went as expected.`
        : `${failed} of ${runs.length} run${plural(runs)} did not go as expected.`;
  return element('p', {class: `banner ${ok ? 'ok' : 'failed'}`}, text);
}

export function cardsHtml(runs: readonly RecordedRun[]): Html {
  return element('div', {class: 'cards'}, ...runs.map(cardHtml));
}

function cardHtml(run: RecordedRun): Html {
  const {variant, crossplane, failures, orphans, duplicates, externals, stuck, reconciles} = run;
  const ok = failures.length === 0;
  const twice = doubledExternals(externals.list);
  const facts = [
    factHtml(orphans.length, `orphan${plural(orphans)}`, orphans.length > 0),
    ...(duplicates.length > 0 ? [factHtml(duplicates.length, `duplicate${plural(duplicates)}`, true)] : []),
    ...(stuck.length > 0 ? [factHtml(stuck.length, 'stuck', true)] : []),
    ...(twice.length > 0 ? [factHtml(twice.length, 'alive twice in the cloud', true)] : []),
    factHtml(externals.alive, 'alive in the cloud', false),
    factHtml(externals.creates, `create${externals.creates === 1 ? '' : 's'}`, false),
    factHtml(externals.deletes, `delete${externals.deletes === 1 ? '' : 's'}`, false),
    factHtml(reconciles, 'reconciles', false),
  ];
  return element(
    'article',
    {class: ok ? 'card ok' : 'card failed'},
    element(
      'h3',
      {},
      variant === '' ? `Crossplane ${crossplane}` : variant,
      ' ',
      element('span', {class: ok ? 'chip ok' : 'chip failed'}, ok ? 'as expected' : 'failed'),
    ),
    element('ul', {class: 'facts'}, ...facts),
    failures.length === 0
      ? ''
      : element(
          'ul',
          {class: 'failures'},
          ...failures.map(({place, step, message, difference}) =>
            element('li', {}, message, element('small', {}, `${step}, ${place}`), differenceHtml(difference)),
          ),
        ),
    element('ul', {class: 'closing'}, ...[...closingText(run), ...stuck].map((text) => element('li', {}, text))),
    element(
      'p',
      {class: 'small'},
      `Seed ${run.seed}. Settled after ${durationText(run.settledMs)} of virtual time, ${run.functionCalls} function calls.`,
    ),
  );
}

function factHtml(count: number, what: string, isBad: boolean): Html {
  return element('li', {class: isBad ? 'bad' : undefined}, element('b', {}, String(count)), ` ${what}`);
}

const looks: {readonly [mark: string]: string} = {'+': 'add', '-': 'del', '@': 'skip'};

/** A diff of object-diff.ts, a line each. The sign stays in the text: on paper colour alone is lost. */
export function diffHtml(lines: readonly string[]): Html {
  return element(
    'pre',
    {class: 'diff'},
    ...lines.map((line) => {
      const look = looks[line.charAt(0)];
      const text = look === 'skip' ? `… ${line.slice(1)}` : line;
      return look === undefined ? `${text}\n` : element('span', {class: look}, `${text}\n`);
    }),
  );
}

/** The fields that an expectation wants, beside those of the object. */
function differenceHtml(difference: Difference | undefined): Html | '' {
  const lines = differenceText(difference);
  return lines.length === 0 ? '' : diffHtml(lines);
}
