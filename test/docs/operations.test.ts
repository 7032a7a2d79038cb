import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {answerHere} from '../../src/function/answerer.ts';
import {Metrics} from '../../src/function/metrics.ts';
import {parseServeArgs} from '../../src/function/serve-args.ts';
import {conditionReasons} from '../../src/lifecycle/plan/summary.ts';

// The page for operators has every word that the function says: flags, metrics, reasons, marks.

// The formatter pads the cells of tables.
const page = read('docs/reference/operations.md').replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| ');
const help = parseServeArgs(['--help'], {});
const serveHelp = help.kind === 'help' ? help.text : '';

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The first groups of all matches, each once. At least `atLeast`, so that a change of the source is noticed. */
function wordsIn(text: string, pattern: RegExp, atLeast: number): readonly string[] {
  const words = [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? ''))];
  expect(words.length, String(pattern)).toBeGreaterThanOrEqual(atLeast);
  return words;
}

const decisions = read('src/lifecycle/words/decision.ts');
const eventReasons =
  /const transitionReasons[\s\S]*?\{\n([\s\S]*?)\n\};/.exec(read('src/function/answer.ts'))?.[1] ?? '';
const sources = ['facts/marks', 'usages/usages', 'external-names/external-names', 'removal/policies']
  .map((file) => read(`src/lifecycle/${file}.ts`))
  .join('');

describe('the page names', () => {
  test.each(wordsIn(serveHelp, /^ {2}(--[a-z-]+)/gm, 9))('the flag %s', (flag) => {
    expect(page).toMatch(new RegExp(`^\\| [^|]*\`${flag}[ \`]`, 'm'));
  });

  test.each(wordsIn(new Metrics(answerHere({})).render(), /^# TYPE (\w+)/gm, 5))('the metric %s', (metric) => {
    expect(page).toContain(`| \`${metric}\` |`);
  });

  test.each(conditionReasons)('the reason %s of the condition', (reason) => {
    expect(page).toMatch(new RegExp(`^\\| (True|False) \\| \`${reason}\` \\| .+ \\| .+ \\|$`, 'm'));
  });

  const reasons = [...decisions.matchAll(/kind: '(\w+)';\s+readonly reason: '([\w-]+)'/g)].map(
    ([, kind = '', reason = '']) => [kind, reason],
  );
  test('every decision has a row', () => {
    expect(reasons.length).toBeGreaterThan(20);
  });
  test.each(reasons)('the decision %s (%s)', (kind, reason) => {
    expect(page).toMatch(new RegExp(`^\\| ${kind} \\| \`${reason}\` \\| .+ \\|`, 'm'));
  });
  test.each(wordsIn(decisions, /kind: '(\w+)'/g, 8))('the decision %s', (kind) => {
    expect(page).toMatch(new RegExp(`^\\| ${kind} \\|`, 'm'));
  });

  test.each(wordsIn(eventReasons, /'(\w+)',/g, 7))('the event %s', (reason) => {
    expect(page).toContain(`\`${reason}\``);
  });

  test.each(wordsIn(sources, /'(tether\.fn\.crossplane\.io\/[a-z-]+)'/g, 7))('the mark %s', (mark) => {
    expect(page).toContain(`\`${mark}`);
  });
});

test('no flag, metric or decision is told that is not there', () => {
  const flags = wordsIn(page, /^\| `(--[a-z-]+)/gm, 9);
  for (const flag of flags) expect(serveHelp).toContain(flag);
  for (const reason of wordsIn(page, /^\| (?:adopt|wait|hold|refuse) \| `([\w-]+)`/gm, 20)) {
    expect(decisions).toContain(`reason: '${reason}'`);
  }
});
