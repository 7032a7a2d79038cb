// The table of the stories: one row per story, Crossplane version and variant.

import {durationText} from '../../input/duration.ts';
import {listed} from '../../input/listed.ts';
import type {StoryResult} from './run-story.ts';

const columns = [
  'Crossplane',
  'variant',
  'bug',
  'creates',
  'deletes',
  'orphans',
  'stuck',
  'converged',
  'reconciles',
  'verdict',
] as const;
const widths = [10, 26, 26, 7, 7, 7, 5, 12, 10, 0];

export function storyHead({story: {name, path, bug}}: StoryResult): string {
  const issues = bug.issues.length === 0 ? '' : ` (${bug.issues.join(', ')})`;
  return [`${name}: ${bug.name}${issues}`, `  ${path}`, `  ${row(columns)}`].join('\n');
}

/** One row, with a line below it for each problem. */
export function resultText(result: StoryResult): string {
  const {crossplane, variant, shown, problems} = result;
  const isStuck = shown.stuck.length > 0;
  const cells = [
    crossplane,
    variant.name,
    bugText(result),
    String(shown.externals.creates),
    String(shown.externals.deletes),
    String(shown.orphans.length),
    String(shown.stuck.length),
    isStuck ? 'never' : durationText(shown.convergedMs),
    String(shown.reconciles),
    problems.length === 0 ? 'as expected' : 'NOT AS EXPECTED',
  ];
  return [`  ${row(cells)}`, ...problems.map((problem) => `      ${problem}`)].join('\n');
}

/** A sentence about verdicts that chance changed: below the table of a run with several seeds. */
export function agreementText(results: readonly StoryResult[]): string {
  const differing = results.filter((result) => result.differing.length > 0);
  const chances = differing.filter(isChance).length;
  const decided = differing.filter((result) => !isChance(result));
  const lines = decided.map(
    ({story, crossplane, variant, differing}) =>
      `  ${story.name} on ${crossplane}, ${variant.name}: seed${differing.length === 1 ? '' : 's'} ${listed(differing, seedsShown)}`,
  );
  const same = `every seed comes to the same verdict in ${results.length - differing.length} of ${results.length} rows`;
  const chance = chances === 0 ? '' : `, in ${chances} the bug itself is a matter of chance, as they say`;
  if (decided.length === 0) return same + chance;
  return [`${same}${chance}; in ${decided.length} some seeds differ that must not:`, ...lines].join('\n');
}

function isChance({variant, crossplane}: StoryResult): boolean {
  return variant.happens?.sometimes.includes(crossplane) === true;
}

const seedsShown = 20;

/** The stuck objects at the end of a story, once for all equal rows. */
export function stuckLines(results: readonly StoryResult[]): readonly string[] {
  const versions = new Map<string, Set<string>>();
  for (const {shown, crossplane} of results) {
    for (const sentence of shown.stuck) {
      const text = nameless(sentence);
      versions.set(text, (versions.get(text) ?? new Set()).add(crossplane));
    }
  }
  return [...versions].map(([sentence, where]) => `      stuck on ${[...where].join(', ')}: ${sentence}`);
}

/** The orders in which the bug happened, once for all equal rows. */
export function orderLines(results: readonly StoryResult[]): readonly string[] {
  const versions = new Map<string, Set<string>>();
  for (const {badOrders, crossplane} of results) {
    for (const order of badOrders) {
      const text = order.join(', then ');
      versions.set(text, (versions.get(text) ?? new Set()).add(crossplane));
    }
  }
  return [...versions].map(([order, where]) => `      happened on ${[...where].join(', ')}: ${order}`);
}

/** Generated names differ from run to run; the sentence is about the kind. */
function nameless(sentence: string): string {
  return sentence.replace(/^(\w+\/[\w.]+)-(?:[0-9a-f]{12}|[a-z0-9]{5}) /, '$1-... ');
}

function bugText({happened, runs, seeds, orders}: StoryResult): string {
  const of = [...(orders > 1 ? [`${orders} orders`] : []), ...(seeds > 1 ? [`${seeds} seeds`] : [])].join(' x ');
  if (happened === 0) return runs === 1 ? 'did not happen' : `in none of ${of}`;
  if (runs === 1) return 'HAPPENED';
  return happened === runs ? `HAPPENED in all ${of}` : `HAPPENED in ${happened} of ${runs}`;
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd();
}
