import {expect, test} from 'vitest';
import {alignedRows, markdownTable, paddedMarkdown, textRow, textTable} from '../../src/command-line/tables.ts';

const columns = [{head: 'story'}, {head: 'creates', isNumber: true}, {head: 'verdict'}];

test('columns of text are as wide as their widest cell, and numbers stand to the right', () => {
  expect(
    textTable(columns, [
      ['removal', 12, 'ok'],
      ['a', 3, ''],
    ]),
  ).toEqual(['story    creates  verdict', 'removal       12  ok', 'a              3']);
  expect(
    alignedRows([
      ['a', 'b'],
      ['long', 'c'],
    ]),
  ).toEqual(['a     b', 'long  c']);
});

test('a row that is printed before the others has the widths of its columns', () => {
  expect(
    textRow(
      [
        {head: '', width: 4},
        {head: '', width: 3, isNumber: true},
      ],
      ['a', 1],
    ),
  ).toBe('a       1');
});

test('a table of a page says which columns are numbers, or is padded as the formatter does', () => {
  expect(markdownTable(columns, [['removal', 12, 'ok']])).toEqual([
    '| story | creates | verdict |',
    '|---|--:|---|',
    '| removal | 12 | ok |',
  ]);
  expect(paddedMarkdown(['a', 'b'], [['long', 1]])).toBe('| a    | b   |\n| ---- | --- |\n| long | 1   |');
});
