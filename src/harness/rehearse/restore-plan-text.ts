// A restore plan as a runbook in Markdown: the steps of the restore that passed its rehearsals; the findings that each part
// prevents; the candidates that failed; and the limits of a rehearsal. Where nothing
// passed it has no steps: a half plan would be followed.

import {timestamp} from '../../cluster/timestamp.ts';
import {counted, listed, listedLines} from '../input/listed.ts';
import type {Source} from '../input/source/source.ts';
import {findingText} from './findings.ts';
import {unknownsOf} from './plan-text.ts';
import {commandSteps} from './restore-commands.ts';
import {type PartKind, partTable, type RestoreKinds} from './restore-parts.ts';
import {problemsWithout, type RestoreSearch, type Tried, type Way} from './restore-search.ts';
import type {Problem} from './restore-verdict.ts';

export interface PlanSetting {
  readonly source: Source;
  readonly kinds: RestoreKinds;
  readonly crossplane: string;
}

const listedMax = 5;

export function restorePlanText(search: RestoreSearch, setting: PlanSetting): string {
  const {source, crossplane, kinds} = setting;
  const {passed, tried} = search;
  const from = `${source.origin.name}, ${counted(source.objects.length, 'object')}, newest moment ${timestamp(source.asOfMs)}`;
  const lines = [
    '# Restore plan',
    '',
    `Of ${from}, restored by Velero on Crossplane ${crossplane}.`,
    '',
    ...(passed === undefined ? nothingPassed(search) : passedLines(passed, search, kinds)),
    ...expectedLines(search),
    '## What was tried',
    '',
    ...tried.map(triedLine),
    '',
    '## What this plan does not know',
    '',
    ...unknownLines(search, kinds).map((line) => `- ${line}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** One line for the terminal. */
export function triedText({parts, problems}: Tried): string {
  return `${candidateText(parts)}: ${problems.length === 0 ? 'passed' : problemsText(problems, 1)}`;
}

/** How the search ended, a line or two. */
export function outcomeText({passed, tried, untried}: RestoreSearch, file: string): string {
  if (passed !== undefined) {
    return `Restore plan: ${candidateText(passed.parts)}; the ${ordinal(tried.length)} candidate passed; written to ${file}.`;
  }
  const left = untried === 0 ? '' : `, ${untried} more were not tried`;
  return `No restore plan: none of ${counted(tried.length, 'candidate')} passed${left}; ${file} says what each came to.`;
}

function ordinal(count: number): string {
  const [tens, ones] = [count % 100, count % 10];
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th');
  return `${count}${ending}`;
}

function nothingPassed({tried, untried}: RestoreSearch): readonly string[] {
  return [
    `**No restore passed** of ${counted(tried.length, 'candidate')} that were rehearsed: each came to something that the same edits do`,
    `not come to without a disaster. ${untried === 0 ? 'There was none left to try.' : `Not tried: ${counted(untried, 'dearer one')}.`} There are no steps here, for none are known to work.`,
    '',
  ];
}

function passedLines(passed: Tried, search: RestoreSearch, {resources, usages}: RestoreKinds): readonly string[] {
  const steps = commandSteps(passed.case, resources);
  return [
    `Rehearsed ${search.ways.length} times (${search.ways.map(wayText).join('; ')}): nothing was lost, doubled, orphaned, left behind,`,
    'stuck or unready that is not so without a disaster, too. That is what was seen of a simulated control plane, and no more.',
    '',
    '## What protects from what',
    '',
    ...protectionLines(passed, search),
    ...(usages.length === 0 ? [] : [`- **Not restored: ${usages.join(', ')}.** ${whyNoUsages}`]),
    '',
    '## Steps',
    '',
    'Put in the name of your backup for BACKUP, and your own namespaces for `velero` and `crossplane-system`. The platform',
    '(definitions, Compositions, packages, Secrets, namespaces) is installed, as the backup has it, before the first step.',
    'Each step was rehearsed from rest: wait until nothing changes before you take the next.',
    '',
    ...steps.flatMap(({title, commands}, index) => [
      `${index + 1}. ${title}`,
      '',
      ...(commands.length === 0 ? [] : ['```sh', ...commands, '```', '']),
    ]),
    `${steps.length + 1}. Look: \`tether audit\` on the new control plane.`,
    '',
  ];
}

const whyNoUsages =
  'Providers make their usages anew when they connect. No provider may delete a restored one (crossplane#6665), and its ProviderConfig would never go.';

function protectionLines({parts}: Tried, search: RestoreSearch): readonly string[] {
  if (parts.length === 0) return ['- The restore passed as it was asked for: no part was needed.'];
  return parts.map(
    (part) =>
      `- **${capital(partTable[part].text)}.** Without it: ${problemsText(problemsWithout(part, search), listedMax)}.`,
  );
}

function expectedLines({expected}: RestoreSearch): readonly string[] {
  if (expected.length === 0) return [];
  return [
    '## What happens without a disaster, too',
    '',
    'The steps that were rehearsed around the restore do this to the living control plane as well. It is not held against the restore.',
    '',
    ...listedLines(expected, listedMax, (one) => `- ${findingText(one)}`, '- and'),
    '',
  ];
}

function triedLine({parts, problems, way}: Tried): string {
  if (problems.length === 0) return `- ${candidateText(parts)}: **passed**.`;
  return `- ${candidateText(parts)}: ${problemsText(problems, listedMax)} (${wayText(way)}).`;
}

function problemsText(problems: readonly Problem[], max: number): string {
  if (problems.length === 0) return 'not tried';
  return listed(problems.map(findingText), max, '; ');
}

function wayText({seed, toolCallMs}: Way): string {
  return toolCallMs === undefined ? `seed ${seed}` : `seed ${seed}, a request of Velero taking ${toolCallMs / 1000} s`;
}

function unknownLines({passed, tried}: RestoreSearch, {nameless}: RestoreKinds): readonly string[] {
  const shown = passed ?? tried.at(-1);
  return [
    'other orders of events than those rehearsed, crashes and stale caches: nothing was searched for them',
    "Velero's volumes, hooks, plugins and namespace mapping, and what it does to kinds that are not in the backup",
    'providers that treat the pause annotation or a missing status otherwise than crossplane-runtime does',
    ...(nameless.length === 0
      ? []
      : [`how the resources of ${nameless.join(', ')} are called: no part that needs their names was tried`]),
    ...nameless
      .filter((kind) => kind.includes('ProviderConfigUsage'))
      .map((kind) => `how to leave out ${kind}: exclude its resource from the restore yourself. ${whyNoUsages}`),
    ...(shown === undefined ? [] : unknownsOf(shown.rehearsal)),
    ...(shown === undefined || shown.rehearsal.unrest.length === 0
      ? []
      : [
          `what came before: the source is not at rest, ${counted(shown.rehearsal.unrest.length, 'object')} changed before the first step`,
        ]),
  ];
}

function candidateText(parts: readonly PartKind[]): string {
  return parts.length === 0 ? 'the restore as it was asked for' : parts.map((part) => partTable[part].text).join('; ');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
