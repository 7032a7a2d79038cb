// The searches around the steps of a rehearsal, and their findings, as text. For a search that was cut off, the text never
// claims that there is nothing to find.

import {alignedRows} from '../../command-line/tables.ts';
import {wrapped} from '../../command-line/wrap.ts';
import {budgetKinds} from '../explore/explore-action.ts';
import {type PathReport, shortPath} from '../explore/path-report.ts';
import {counted} from '../input/listed.ts';
import {type Paint, plain} from '../report/paint.ts';
import type {Extent, FaultSearch, FaultSearches, FoundByFault, Units} from './fault-search.ts';
import {type Finding, findingText} from './findings.ts';

/** After the last fault, what followed is shown up to this many lines. */
const followingMax = 12;

/** `commandOf` is what a person types to take a path again. */
export function faultSearchText(
  {crossplane, faultless, searches}: FaultSearches,
  commandOf: (units: Units, path: string) => string,
  width: number,
  paint: Paint = plain,
): string {
  const rows = alignedRows(searches.map((search) => [unitsText(search.units), searchText(search)]));
  return [
    ...wrapped(
      '',
      `Faults around the steps, on Crossplane ${crossplane}: at every moment at which they can come, one of a kind in a run unless said otherwise`,
      width,
    ),
    ...faultlessLines(faultless, width, paint),
    ...searches.flatMap((search, index) => {
      return wrapped('  ', rows[index] ?? '', width).map((line) =>
        search.found.length > 0 ? paint('red', line) : line,
      );
    }),
    ...searches.flatMap((search) =>
      search.found.flatMap((one) => foundLines(search.units, one, commandOf, width, paint)),
    ),
    '',
    ...wrapped('', notSearched(searches), width),
  ].join('\n');
}

/** A path that was taken again. */
export function replayedText({lines}: PathReport, findings: readonly Finding[], width: number): string {
  const found =
    findings.length === 0 ? ['Nothing that the steps do not come to without a fault.'] : findings.map(findingText);
  return [...lines, ...found.flatMap((text) => wrapped('  => ', text, width))].join('\n');
}

export function unitsText(units: Units): string {
  return Object.entries(units)
    .map(([kind, count]) => (count === 1 ? kind : `${kind}=${count}`))
    .join(', ');
}

function faultlessLines(faultless: FaultSearches['faultless'], width: number, paint: Paint): readonly string[] {
  const texts = faultless?.map((one) => `without a fault, where nothing takes time: ${findingText(one)}`) ?? [
    'without a fault the steps come to no end in the time that was searched, so no end with one was judged',
  ];
  return texts.flatMap((text) => wrapped('  ! ', text, width).map((line) => paint('red', line)));
}

function searchText({states, ends, extent, found}: FaultSearch): string {
  const size = `${counted(states, 'state')}, ${counted(ends, 'end')}`;
  const count = found.reduce((sum, {findings}) => sum + findings.length, 0);
  const findings = count === 0 ? undefined : `found ${count}`;
  if (extent.kind === 'ended') return `${size}, all seen: ${findings ?? 'nothing that does not come without it'}`;
  const so = findings ?? 'nothing found so far; the rest is unknown';
  return `${size}, NOT all seen (${extent.reasons.map(reasonText).join(', ')}): ${so}`;
}

type Reason = Extract<Extent, {readonly kind: 'bounded'}>['reasons'][number];

function reasonText(reason: Reason): string {
  switch (reason) {
    case 'minutes':
      return 'some runs go on beyond --minutes';
    case 'no-end':
      return 'no run came to an end';
    case 'stopped':
      return 'stopped after --seconds';
    case 'states':
    case 'depth':
    case 'memory':
      return `stopped at --${reason}`;
    default:
      return reason;
  }
}

function foundLines(
  units: Units,
  {findings, path, way}: FoundByFault,
  commandOf: (units: Units, path: string) => string,
  width: number,
  paint: Paint,
): readonly string[] {
  return [
    '',
    ...findings
      .flatMap((one) => wrapped('', `${unitsText(units)}: ${findingText(one)}`, width))
      .map((line) => paint('red', line)),
    ...shortened(way),
    `  ${commandOf(units, shortPath(path))}`,
  ];
}

/** The actions and faults, and the consequences of the last of them. */
function shortened({lines, turns}: PathReport): readonly string[] {
  const last = Math.max(...turns);
  const kept = lines.slice(0, last + 1 + followingMax).filter((_, index) => turns.has(index) || index > last);
  const left = lines.length - (last + 1 + followingMax);
  return left > 0 ? [...kept, `     ... and ${left} more`] : kept;
}

function notSearched(searches: readonly FaultSearch[]): string {
  const searched = new Set(searches.flatMap(({units}) => Object.keys(units)));
  const others = budgetKinds.filter((kind) => kind !== 'operator' && !searched.has(kind));
  const kinds = others.length === 0 ? '' : ` the kinds ${others.join(', ')};`;
  return `Not searched:${kinds} more faults in one run than said here, times (nothing takes any), and what the rehearsal does not know.`;
}
