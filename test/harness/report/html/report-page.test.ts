import {createContext, runInContext} from 'node:vm';
import {describe, expect, test} from 'vitest';
import {readPageAssets} from '../../../../src/harness/report/html/assets.ts';

// The page's script without a page: where keys and pointers lead. The rest runs in a browser: npm run test:browser.

interface Place {
  readonly row: number;
  readonly panel: number;
  readonly moment: number;
}
type Rows = readonly (readonly (readonly (readonly [number])[])[])[];

interface PageScript {
  readonly nearestMoment: (moments: readonly (readonly [number])[], x: number) => number;
  readonly placeAfter: (key: string, place: Place, rows: Rows, isShown: (row: number) => boolean) => Place | undefined;
  readonly diffLines: (text: string) => readonly {readonly look: string; readonly text: string}[];
}

const context = createContext({});
// In a browser it is a module; here its functions are wanted, and there is no page.
runInContext(readPageAssets().script.replaceAll(/^export /gm, ''), context);
const script = runInContext('({nearestMoment, placeAfter, diffLines})', context) as PageScript;

/** Two panels; the second row is empty in the right one. */
const rows: Rows = [
  [[[10], [500]], [[20]]],
  [[[490]], []],
  [[[0], [480], [900]], [[30]]],
];
const all = () => true;

describe('the pointer', () => {
  test.each([
    [0, 0],
    [300, 1],
    [1000, 1],
  ])('at %i per mille finds moment %i', (x, moment) => {
    expect(script.nearestMoment([[10], [500]], x)).toBe(moment);
  });

  test('finds nothing where nothing is', () => {
    expect(script.nearestMoment([], 5)).toBe(-1);
  });
});

describe('a key', () => {
  const press = (key: string, place: Place, isShown: (row: number) => boolean = all) => ({
    ...script.placeAfter(key, place, rows, isShown),
  });
  const start = {row: 0, panel: 0, moment: 0};

  test('goes to the next moment, and past the last one into the next panel', () => {
    expect(press('ArrowRight', start)).toEqual({row: 0, panel: 0, moment: 1});
    expect(press('ArrowRight', {...start, moment: 1})).toEqual({row: 0, panel: 1, moment: 0});
    expect(press('ArrowRight', {row: 0, panel: 1, moment: 0})).toEqual({row: 0, panel: 1, moment: 0});
  });

  test('goes back, and before the first one into the panel before', () => {
    expect(press('ArrowLeft', {row: 0, panel: 1, moment: 0})).toEqual({row: 0, panel: 0, moment: 1});
    expect(press('ArrowLeft', start)).toEqual(start);
  });

  test('goes to the row below at about the same time', () => {
    expect(press('ArrowDown', {...start, moment: 1})).toEqual({row: 1, panel: 0, moment: 0});
    expect(press('ArrowDown', {row: 1, panel: 0, moment: 0})).toEqual({row: 2, panel: 0, moment: 1});
    expect(press('ArrowDown', {row: 0, panel: 1, moment: 0})).toEqual({row: 1, panel: 1, moment: -1});
    expect(press('ArrowUp', start)).toEqual(start);
  });

  test('passes rows that are not shown', () => {
    expect(press('ArrowDown', start, (row) => row !== 1)).toEqual({row: 2, panel: 0, moment: 0});
  });

  test('goes to both ends', () => {
    expect(press('End', {row: 2, panel: 0, moment: 0})).toEqual({row: 2, panel: 0, moment: 2});
    expect(press('Home', {row: 2, panel: 0, moment: 2})).toEqual({row: 2, panel: 0, moment: 0});
    expect(press('End', {row: 1, panel: 1, moment: -1})).toEqual({row: 1, panel: 1, moment: -1});
  });

  test('of no meaning is left to the browser', () => {
    expect(script.placeAfter('a', start, rows, all)).toBeUndefined();
  });
});

test('lines of a diff keep their sign', () => {
  expect(JSON.parse(JSON.stringify(script.diffLines('@spec\n a\n-b\n+c')))).toEqual([
    {look: 'skip', text: '… spec'},
    {look: '', text: ' a'},
    {look: 'del', text: '-b'},
    {look: 'add', text: '+c'},
  ]);
});
