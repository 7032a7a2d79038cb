// The table of the stories: one row per story, Crossplane version and variant.

import {textRow, textTable} from '../../../command-line/tables.ts';
import {durationText} from '../../input/duration.ts';
import {listed} from '../../input/listed.ts';
import type {StoryResult} from './run-story.ts';

const columns = [
  {head: 'Crossplane', width: 10},
  {head: 'variant', width: 26},
  {head: 'bug', width: 26},
  {head: 'creates', width: 7},
  {head: 'deletes', width: 7},
  {head: 'orphans', width: 7},
  {head: 'stuck', width: 5},
  {head: 'converged', width: 12},
  {head: 'reconciles', width: 10},
  {head: 'verdict'},
];

export function storyHead({story: {name, path, bug}}: StoryResult): string {
  const issues = bug.issues.length === 0 ? '' : ` (${bug.issues.join(', ')})`;
  return [`${name}: ${bug.name}${issues}`, `  ${path}`, `  ${textTable(columns, [])[0]}`].join('\n');
}

/** One row, with a line below it for each problem. */
export function resultText(result: StoryResult): string {
  const {crossplane, variant, shown, problems} = result;
  const isStuck = shown.stuck.length > 0;
  const cells = [
    crossplane,
    variant.name,
    bugText(result),
    shown.externals.creates,
    shown.externals.deletes,
    shown.orphans.length,
    shown.stuck.length,
    isStuck ? 'never' : durationText(shown.convergedMs),
    shown.reconciles,
    problems.length === 0 ? 'as expected' : 'NOT AS EXPECTED',
  ];
  return [`  ${textRow(columns, cells)}`, ...problems.map((problem) => `      ${problem}`)].join('\n');
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
  return onVersions('stuck', results, ({shown}) => shown.stuck.map(nameless));
}

/** The orders in which the bug happened, once for all equal rows. */
export function orderLines(results: readonly StoryResult[]): readonly string[] {
  return onVersions('happened', results, ({badOrders}) => badOrders.map((order) => order.join(', then ')));
}

function onVersions(
  what: string,
  results: readonly StoryResult[],
  textsOf: (result: StoryResult) => readonly string[],
): readonly string[] {
  const versions = new Map<string, Set<string>>();
  for (const result of results) {
    for (const text of textsOf(result)) {
      versions.set(text, (versions.get(text) ?? new Set()).add(result.crossplane));
    }
  }
  return [...versions].map(([text, where]) => `      ${what} on ${[...where].join(', ')}: ${text}`);
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
