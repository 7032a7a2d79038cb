import type {Difference} from '../../scenario/check.ts';
import {differenceText} from '../object-diff.ts';
import {element, type Html} from './element.ts';

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
export function differenceHtml(difference: Difference | undefined): Html | '' {
  const lines = differenceText(difference);
  return lines.length === 0 ? '' : diffHtml(lines);
}
