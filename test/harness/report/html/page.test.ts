import {describe, expect, test} from 'vitest';
import {readPageAssets} from '../../../../src/harness/report/html/assets.ts';
import {htmlReport} from '../../../../src/harness/report/html/page.ts';
import {exampleRun, hostile, rewritten} from '../example-run.ts';
import {elements, type MarkupNode, ofClass, parseMarkup} from './markup.ts';

const assets = readPageAssets();
const without = {...exampleRun('main'), variant: 'without'};
const other = {...exampleRun('1.19'), crossplane: 'main' as const, variant: 'deleted'};
const page = htmlReport([without, other], assets);
const root = parseMarkup(page);

function rowOf(label: string, from: MarkupNode = root): MarkupNode {
  const row = elements(from, ({tag, children}) => tag === 'tr' && children[0]?.text.startsWith(label) === true)[0];
  if (row === undefined) throw new Error(`no row ${label}`);
  return row;
}

function looks(track: MarkupNode | undefined): readonly string[] {
  if (track === undefined) return [];
  return elements(track, ofClass('bar')).map(({attributes}) => (attributes['class'] ?? '').replace('bar ', ''));
}

describe('the page', () => {
  test('is the same bytes for the same story', () => {
    const again = [
      {...exampleRun('main'), variant: 'without'},
      {...exampleRun('1.19'), crossplane: 'main' as const, variant: 'deleted'},
    ];
    expect(htmlReport(again, assets)).toBe(page);
  });

  test('needs nothing but itself', () => {
    const addresses = elements(root, () => true).flatMap(({attributes}) =>
      Object.entries(attributes).filter(([name]) => ['src', 'href', 'data', 'action'].includes(name)),
    );
    expect(addresses.length).toBeGreaterThan(5);
    for (const [, address] of addresses) expect(address).toMatch(/^#/);
    expect(assets.style).not.toMatch(/url\(|@import/);
    expect(assets.script).not.toMatch(/fetch\(|XMLHttpRequest|import\(|innerHTML|insertAdjacentHTML|document\.write/);
  });

  test('says at the top how it went', () => {
    expect(elements(root, ofClass('banner'))[0]?.text).toBe('Both runs went as expected.');
    const failed = {...without, failures: [{place: 'a.yaml:1:1', step: 'wait', message: 'expected 0 orphans, got 1'}]};
    const [banner, ...cards] = elements(
      parseMarkup(htmlReport([failed, other], assets)),
      (node) => ofClass('banner')(node) || ofClass('card')(node),
    );
    expect(banner?.text).toBe('1 of 2 runs did not go as expected.');
    expect(cards[0]?.text).toContain('expected 0 orphans, got 1');
    expect(elements(parseMarkup(htmlReport([], assets)), ofClass('banner'))[0]?.text).toBe(
      'No run: nothing was checked.',
    );
  });

  test('stands variants beside each other, one row per object', () => {
    const [, one, two] = rowOf('b Bucket').children;
    expect(looks(one)).toEqual(['not-ready', 'ready', 'unowned', 'orphaned']);
    expect(looks(two)).toEqual(['not-ready', 'ready', 'unowned', 'deleting']);
    expect(
      elements(root, ({tag}) => tag === 'tr').filter(({children}) => children[0]?.text === 'b Bucket'),
    ).toHaveLength(1);
  });

  test('has lanes for Crossplane, functions, XRs, composed resources and the cloud', () => {
    for (const label of [
      'Crossplane process',
      'function-static function',
      'shop App',
      'a Bucket',
      'alive',
      'creates',
      'deletes',
    ]) {
      expect(rowOf(label).children).toHaveLength(3);
    }
    const [, one, two] = rowOf('deletes').children;
    expect(elements(one as MarkupNode, ofClass('mark'))).toHaveLength(0);
    expect(elements(two as MarkupNode, ofClass('mark'))).toHaveLength(1);
  });

  test('shows the cloud resource living on while its object is lost', () => {
    const [, one] = rowOf('b Bucket').children;
    const external = elements(one as MarkupNode, ofClass('external'));
    expect(external).toHaveLength(1);
    expect(external[0]?.attributes['title']).toMatch(/^in the cloud as .*, \+0\.\d s to/);
  });

  test('marks steps with their names, and leads from them to what they did', () => {
    const [first] = elements(root, ofClass('step'));
    expect(first?.attributes['title']).toBe('1. the app is ready (+0.0 s)');
    const target = first?.attributes['href']?.slice(1);
    expect(elements(root, ({attributes}) => attributes['id'] === target)[0]?.text).toContain('1. the app is ready');
  });

  test('tells step by step what functions decided and what changed in each object', () => {
    const [last] = elements(root, ofClass('step-story')).slice(-1);
    expect(last?.text).toContain('releases b: observed, and no longer desired');
    expect(last?.text).toContain('b (Bucket): gone');
    const restored = elements(root, ofClass('step-story')).find(({text}) =>
      text.includes('back, compared with what was lost'),
    );
    expect(restored?.text).toMatch(/-\s+ownerReferences:/);
  });

  test('flags the step that failed, where it stands and in its story', () => {
    const failures = [{place: 'a.yaml:1:1', step: 'a backup is taken', stepNumber: 2, message: 'expected it'}];
    const failed = parseMarkup(htmlReport([{...without, failures}], assets));
    const flagged = elements(failed, (node) => ofClass('step')(node) && ofClass('failed')(node));
    expect(flagged.map(({attributes}) => attributes['title'])).toEqual([expect.stringMatching(/^2\. .*, failed$/)]);
    expect(elements(failed, ofClass('step-story'))[1]?.text).toContain('expected it');
  });

  test('tells what all variants changed alike once', () => {
    const alike = parseMarkup(htmlReport([without, {...without, variant: 'again'}], assets));
    const [first] = elements(alike, ofClass('step-story'));
    expect(first?.text).toContain('3 objects changed alike');
    expect(first?.text.match(/b \(Bucket\): new/g)).toHaveLength(1);
  });

  test('shows a second external resource of one managed resource', () => {
    const create = without.history.cloud.find(({what}) => what === 'create');
    if (create === undefined) throw new Error('nothing was created');
    const cloud = [...without.history.cloud, {...create, id: 'ext-twice', atMs: create.atMs + 1000}];
    const twice = parseMarkup(htmlReport([{...without, history: {...without.history, cloud}}], assets));
    const doubles = elements(twice, (node) => ofClass('double')(node) && !ofClass('swatch')(node));
    expect(doubles.map(({attributes}) => attributes['title'])).toEqual([
      expect.stringContaining('a second one in the cloud as ext-twice'),
    ]);
    expect(elements(root, (node) => ofClass('double')(node) && !ofClass('swatch')(node))).toEqual([]);
  });

  test('can be reached by keyboard: one way in per chart, and every lane says what it is', () => {
    const tracks = elements(root, ({attributes}) => attributes['data-row'] !== undefined);
    expect(tracks.filter(({attributes}) => attributes['tabindex'] === '0')).toHaveLength(1);
    const spoken = (track: MarkupNode | undefined) => track?.children.find(ofClass('spoken'))?.text;
    for (const track of tracks) expect(spoken(track)).toMatch(/./);
    expect(spoken(rowOf('b Bucket').children[1])).toMatch(/^b: .*orphan from \+8\.\d s/);
  });

  test('gives its script as many moments as there are rows and panels', () => {
    const data = JSON.parse(elements(root, ({attributes}) => attributes['id'] === 'data')[0]?.text ?? '');
    const rows = elements(root, ({tag, children}) => tag === 'tr' && children[1]?.attributes['data-row'] !== undefined);
    expect(data.charts[0].rows).toHaveLength(rows.length);
    for (const {moments} of data.charts[0].rows) {
      expect(moments).toHaveLength(2);
      for (const [x, time, step, sentences, diff] of moments.flat()) {
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x).toBeLessThanOrEqual(1000);
        expect(time).toMatch(/^\+/);
        expect(step).toBeGreaterThan(0);
        for (const text of [...sentences, ...(diff < 0 ? [] : [diff])]) expect(data.texts[text]).toBeTypeOf('string');
      }
    }
  });

  test('has a chart per Crossplane version, and links to them', () => {
    const both = parseMarkup(htmlReport([exampleRun('main'), exampleRun('1.19')], assets));
    expect(elements(both, ofClass('chart'))).toHaveLength(2);
    expect(elements(both, ofClass('overview'))[0]?.text).toContain('orphan on Crossplane 1.19');
  });

  test('cannot be made of a run that was not recorded', () => {
    const {history: _, ...unrecorded} = without;
    expect(() => htmlReport([unrecorded], assets)).toThrow('orphan on Crossplane main, without was not recorded');
  });
});

describe('hostile names', () => {
  const keep = new Set(['kind', 'verb', 'type', 'crossplane', 'what', 'status', 'actor', 'uid', 'change']);
  const poisoned = rewritten(without, (text, key) => (keep.has(key) ? text : `${text}${hostile}`));
  const html = htmlReport([{...poisoned, failures: [{place: hostile, step: hostile, message: hostile}]}], assets);

  test('stay text: the page has the same elements as ever', () => {
    const tags = (markup: string): readonly string[] =>
      [...new Set(elements(parseMarkup(markup), () => true).map(({tag}) => tag))].sort();
    const failed = {...without, failures: [{place: 'x', step: 'x', message: 'x'}]};
    expect(tags(html)).toEqual(tags(htmlReport([failed], assets)));
    expect(elements(parseMarkup(html), ({tag}) => tag === 'script')).toHaveLength(2);
    expect(html).not.toContain('<img');
  });

  test('are still there to read', () => {
    expect(parseMarkup(html).text).toContain(`orphan${hostile}`);
  });
});
