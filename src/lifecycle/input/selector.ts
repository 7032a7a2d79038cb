// Selects the composed resources of a rule. All parts of a selector have to match; an empty one matches all.

import {asObject, type Json, text} from '../words/json.ts';
import {groupOf, isSameKind, type Kind} from '../words/references.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Input} from './input.ts';
import {regexOf} from './regex.ts';

export type Selector = NonNullable<NonNullable<NonNullable<Input['externalNames']>['from']>[number]['match']>;

type Slips = Pick<Snapshot, 'observed' | 'desired'> & {readonly isCounting?: true};

/**
 * Labels are those that the view carries: what is desired where a rule is about desired resources. With `slipsAmong`, a selector also
 * matches what only a slip keeps it from. Names that only count, such as a-1 and a-2, differ on purpose, unless `isCounting`.
 */
export function matches(
  selector: Selector | undefined,
  resourceName: string,
  view: ResourceView,
  slipsAmong?: Slips,
): boolean {
  if (selector === undefined) return true;
  const {resources, pattern, kinds, labels} = slipsAmong ? mended(selector, resourceName, view, slipsAmong) : selector;
  if (resources !== undefined && !resources.includes(resourceName)) return false;
  if (pattern !== undefined && !regexOf(pattern)?.test(resourceName)) return false;
  if (kinds !== undefined && !kinds.some((kind) => isSameKind(view, kind))) return false;
  return labels === undefined || labels.every((label) => isLabelled(view, label));
}

function isLabelled(view: ResourceView, {key, value, ignoreCase}: NonNullable<Selector['labels']>[number]): boolean {
  const label = view.field(['metadata', 'labels', key]);
  if (label === value || !ignoreCase || typeof label !== 'string') return label === value;
  return label.toLowerCase() === value.toLowerCase();
}

/**
 * The selector without the parts that a slip keeps from the resource: a letter, capitals, a glob, a part of a name or pattern, the name
 * of the object, a plural, a group that is nearly its own, or a label for a name. A part that matches anything as it is written has no
 * slip, and none has one with `optional`.
 */
function mended(
  selector: Selector,
  resourceName: string,
  view: ResourceView,
  {observed, desired, isCounting}: Slips,
): Selector {
  const {resources = [], pattern = '', kinds = [], labels = [], optional} = selector;
  if (optional) return selector;
  const isUnknown = (part: Selector) => ![...observed, ...desired].some(([name, one]) => matches(part, name, one));
  const isSlipOf = (said: string, meant: string) =>
    isNearly(said, meant) && (isCounting || withoutCounts(said) !== withoutCounts(meant));
  const isName = (said: string) => said !== '' && [resourceName, view.name].includes(said);
  const hasSlip = {
    resources: resources.some(
      (name) =>
        (isName(name) || isGlobOf(name, resourceName) || isSlipOf(name, resourceName)) &&
        isUnknown({resources: [name]}),
    ),
    pattern: isMeantBy(pattern, resourceName) && isUnknown({pattern}),
    kinds: kinds.some((kind) => isKindOf(kind, view) && isUnknown({kinds: [kind]})),
  };
  const isLabelSlip = (label: (typeof labels)[number]) => {
    const carried = Object.entries(asObject(view.field(['metadata', 'labels'])));
    const isOf = ([key, value]: [string, Json]) =>
      key === label.key ? isSlipOf(label.value, text(value)) : value === label.value && isSlipOf(label.key, key);
    return (isName(label.value) || carried.some(isOf)) && isUnknown({labels: [label]});
  };
  return {
    labels: labels.filter((label) => !isLabelSlip(label)),
    ...(selector.resources && !hasSlip.resources && {resources}),
    ...(selector.pattern !== undefined && !hasSlip.pattern && {pattern}),
    ...(selector.kinds && !hasSlip.kinds && {kinds}),
  };
}

function withoutCounts(name: string): string {
  return name.replace(/\d+|\b\w\b/g, '');
}

/** True if one slip makes the other name of it: capitals, or a letter left out, added, changed, or swapped with the next. */
function isNearly(name: string, other: string): boolean {
  if (name.toLowerCase() === other.toLowerCase()) return true;
  let start = 0;
  while (start < name.length && name[start] === other[start]) start++;
  const [left, right] = [name.slice(start), other.slice(start)];
  const isSwapped = left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2);
  return isSwapped || left.slice(1) === right || left === right.slice(1) || left.slice(1) === right.slice(1);
}

/** True if the pattern is a glob or a part of the name, or has other capitals. */
function isMeantBy(pattern: string, name: string): boolean {
  if (isGlobOf(pattern, name) || (pattern !== '' && name.includes(pattern.replace(/^\^|\$$/g, '')))) return true;
  return regexOf(pattern.toLowerCase())?.test(name.toLowerCase()) === true;
}

function isGlobOf(glob: string, name: string): boolean {
  const [start = '', ...others] = glob.split('*');
  const end = others.pop();
  if (end === undefined || !name.startsWith(start) || !name.endsWith(end)) return false;
  let from = start.length;
  return others.every((part) => {
    const at = name.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** Groups of namespaced managed resources have an m: rds.aws.m.upbound.io for rds.aws.upbound.io. Other providers of a kind share its first part. */
function isKindOf({apiVersion, kind}: Kind, view: Kind): boolean {
  const [said, meant] = [apiVersion, view.apiVersion].map((one) => groupOf(one).replace('.m.', '.')) as [
    string,
    string,
  ];
  const isGroup = isNearly(said, meant) || said === '' || said.split('.')[0] === meant.split('.')[0];
  return isGroup && [view.kind, `${view.kind}s`, `${view.kind}es`].some((one) => isNearly(kind, one));
}
