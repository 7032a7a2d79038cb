// A rehearsal as text for a terminal: whether it began at rest, the plan by XR, the findings, and the unknowns.

import type {Json} from '../../cluster/json.ts';
import {shortName} from '../../cluster/object.ts';
import {wrapped} from '../../command-line/wrap.ts';
import {entryText, objectText} from '../control-plane/record/words.ts';
import {durationText} from '../input/duration.ts';
import {counted, listed, listedLines} from '../input/listed.ts';
import {type Paint, plain} from '../report/paint.ts';
import {terminalWidth} from '../report/terminal-width.ts';
import {changeWords, fateText} from './change-words.ts';
import {findingsOf, findingText, named} from './findings.ts';
import {type ComposedChange, silentXrs, type XrPlan} from './plan.ts';
import type {Rehearsal} from './rehearse.ts';
import {type Unrest, unrestBetween} from './unrest.ts';

/** Below this heading stands what the plan is silent about. */
const unknownHeading = 'What this rehearsal does not know, and so never calls safe';
const listedMax = 20;
const namesMax = 3;

export function planText(rehearsal: Rehearsal, width = terminalWidth(), paint: Paint = plain): string {
  const {plan} = rehearsal;
  const told = plan.xrs.filter(isTold);
  const quiet = plan.xrs.length - told.length;
  const lines = [
    ...openingLines(rehearsal, width),
    '',
    ...told.flatMap((one) => [...xrLines(one, width, paint), '']),
    ...(quiet === 0 ? [] : [`${counted(quiet, 'XR')} as ${quiet === 1 ? 'it was' : 'they were'}.`, '']),
    ...refusedLines(rehearsal, width),
    ...stillUnreadyLines(rehearsal, width),
    externalsLine(rehearsal),
    '',
    ...findingLines(rehearsal, width, paint),
    '',
    `${unknownHeading}:`,
    ...unknownsOf(rehearsal).flatMap((note) => wrapped('  - ', note, width)),
  ];
  return lines.join('\n');
}

/** The unknowns of a rehearsal, a sentence each. */
export function unknownsOf({notes}: Pick<Rehearsal, 'notes'>): readonly string[] {
  return [...always, ...notes];
}

/** Unknowns of every source. */
const always: readonly string[] = [
  'how long the cloud takes and what it refuses: here it takes part of a second and refuses nothing',
  'admission webhooks other than that of Usages, quotas, permissions, and what people do meanwhile',
];

function openingLines({unrest, before, plan, result}: Rehearsal, width: number): readonly string[] {
  const counts = `${counted(before.objects.length, 'object')}, ${counted(plan.xrs.length, 'XR')}, ${counted(before.externals.length, 'external resource')}`;
  const title = `${result.scenario} on Crossplane ${result.crossplane}: ${counts}`;
  if (unrest.length === 0) return [...wrapped('', title, width), 'At rest: before the first step nothing changes.'];
  return [
    ...wrapped('', title, width),
    `Not at rest: ${counted(unrest.length, 'object')} ${unrest.length === 1 ? 'changes' : 'change'} before anything is done:`,
    ...listedLines(unrest, listedMax, (one) => wrapped('  - ', unrestText(one), width)),
  ];
}

export function unrestText({object, change, field, was, is}: Unrest): string {
  if (change !== 'changed') return `${named(object)} ${change === 'gone' ? 'goes' : 'appears'}`;
  if (was === undefined && is === undefined) return `${named(object)}: ${field} changes`;
  return `${named(object)}: ${field}: ${short(was)} becomes ${short(is)}`;
}

function short(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function isTold({fate, changes}: XrPlan): boolean {
  return fate !== 'stays' || changes.length > 0;
}

function xrLines(plan: XrPlan, width: number, paint: Paint): readonly string[] {
  const {xr, changes, unchanged} = plan;
  const {namespace, name} = xr.metadata;
  const title = `${xr.kind}/${namespace === undefined ? '' : `${namespace}/`}${name}: ${fateText(plan)}`;
  const worded = changes.map((change) => ({change, words: changeWords(change)}));
  const grave = worded.filter(({words}) => words.isGrave);
  const groups = Map.groupBy(
    worded.filter(({words}) => !words.isGrave),
    ({words}) => words.verbs.join(', '),
  );
  const graveLines = ({change, words}: Worded) => {
    const details = words.details.length === 0 ? '' : `: ${words.details.join('; ')}`;
    const text = `${words.verbs.join(', ')}: ${named(objectOf(change))}${whenText(words.atMs)}${details}`;
    return wrapped('  ! ', text, width).map((line) => paint('red', line));
  };
  return [
    title,
    ...listedLines(grave, listedMax, graveLines, '    ... and'),
    ...[...groups].flatMap(([verbs, some]) => wrapped('    ', `${verbs}: ${namesText(some)}`, width)),
    ...(unchanged === 0 ? [] : [`    ${unchanged} composed resource${unchanged === 1 ? '' : 's'} as before`]),
  ];
}

type Worded = {readonly change: ComposedChange; readonly words: ReturnType<typeof changeWords>};

function namesText(some: readonly Worded[]): string {
  const names = some.map(({change, words}) => {
    const [detail] = words.details;
    return `${objectText(objectOf(change))}${whenText(words.atMs)}${detail === undefined ? '' : ` ${detail}`}`;
  });
  return listed(names, namesMax);
}

function whenText(atMs: number | undefined): string {
  return atMs === undefined ? '' : ` (+${durationText(atMs)})`;
}

function objectOf({before, after}: ComposedChange) {
  const object = after ?? before;
  if (object === undefined) throw new Error('a change is of an object');
  return object;
}

function refusedLines({result}: Rehearsal, width: number): readonly string[] {
  const refused = result.timeline.filter(({change}) => change.kind === 'refused');
  if (refused.length === 0) return [];
  const lines = listedLines(refused, listedMax, (entry) => {
    return wrapped('  - ', `+${durationText(entry.atMs)} ${entryText(entry)}`, width);
  });
  return ['Refused on the way:', ...lines, ''];
}

/** No finding, because no step caused it. But a reader of "nothing found" must not take it for ready. */
function stillUnreadyLines({plan}: Rehearsal, width: number): readonly string[] {
  const {stillUnready} = plan;
  if (stillUnready.length === 0) return [];
  const lines = listedLines(stillUnready, listedMax, ({object, says}) => {
    return wrapped('  - ', `${shortName(object)}: ${says}`, width);
  });
  return ['Not ready before the first step, and not after the last:', ...lines, ''];
}

function externalsLine({plan, before, result}: Rehearsal): string {
  const {destroyed, created, doubled, leftBehind} = plan;
  const counts = [
    `${destroyed.length} destroyed`,
    `${created.length} created`,
    `${doubled.length} doubled`,
    `${leftBehind.length} left behind`,
  ];
  return `In the cloud: ${before.externals.length} before, ${result.externals.alive} after: ${counts.join(', ')}.`;
}

/** An XR that composes nothing loses nothing: that is no evidence. */
function nothingShown(unready: number): string {
  const [these, them] = unready === 1 ? ['the object above was', 'it'] : [`the ${unready} objects above were`, 'them'];
  const missing =
    'If a kind or a namespace is missing there, add it to the source: crds.yaml of tether init has open definitions.';
  return `Found nothing destroyed, lost, doubled, orphaned or stuck, but ${these} not ready before the first step: the plan shows little of ${them}. ${missing}`;
}

const noXr = 'Found nothing, and the source has no XR: this plan shows nothing of what it composes.';
const idle =
  'Found nothing, and no step changed an object. An API server drops fields that the schema does not have, and takes what is there already.';
const noneComposes = 'Found nothing, and no XR composes anything here: this plan shows nothing of what they compose.';

function findingLines(rehearsal: Rehearsal, width: number, paint: Paint): readonly string[] {
  const findings = findingsOf(rehearsal);
  if (findings.length === 0) {
    const {length} = rehearsal.plan.stillUnready;
    if (length > 0) return wrapped('', nothingShown(length), width);
    if (rehearsal.plan.xrs.length === 0) return wrapped('', noXr, width);
    if (silentXrs(rehearsal.plan).length === rehearsal.plan.xrs.length) return wrapped('', noneComposes, width);
    const {before, result} = rehearsal;
    const isTaken = result.timeline.some(({change}) => change.kind === 'step');
    if (isTaken && unrestBetween(before.objects, result.objects).length === 0) return wrapped('', idle, width);
    const grave = rehearsal.plan.xrs.flatMap(({changes}) => changes.map(changeWords)).filter(({isGrave}) => isGrave);
    const text = 'Found nothing destroyed, lost, doubled, orphaned, stuck or unready in what is modelled';
    if (grave.length === 0) return wrapped('', `${text}.`, width).map((line) => paint('green', line));
    return wrapped(
      '',
      `${text}. Look at ${grave.length === 1 ? 'the line' : `the ${grave.length} lines`} marked ! above.`,
      width,
    );
  }
  return [
    paint('red', `Found ${findings.length}:`),
    ...findings.flatMap((one) => wrapped('  - ', findingText(one), width).map((line) => paint('red', line))),
  ];
}
