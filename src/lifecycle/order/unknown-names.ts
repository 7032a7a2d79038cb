// Parts of the input's selectors that no desired or observed resource has: a resource name, a pattern, a kind, a label. This is
// probably a mistake (a glob, a part of a name, the kind of another group): an order then does not order, and a policy does not
// keep. The resource may still come later, so an event reports it and nothing else changes; `optional` beside the part turns the
// event off.
//
// `protect.required` selects among what the step requires, and `protect.xrMatch` the XR: its labels may come and go, but its kind
// does not, and it has no resource name. A `from` of `handover` matches nothing once all has moved, so only that of a dry run counts.
//
// And names in `usages` that no resource has. No XR stops: an earlier step may compose the resource later, by the status of another
// one, or may have left it out. A pair on its way out has none: one end leaves, the other may have left already.

import {isUsage} from '../facts/edges.ts';
import type {Input} from '../input/input.ts';
import {matches, type Selector} from '../input/selector.ts';
import {pairOf} from '../usages/usages.ts';
import type {UnknownName} from '../words/events.ts';
import {at, type Json, text} from '../words/json.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';

type Named = Pick<ResourceView, 'apiVersion' | 'kind' | 'field'>;

/** In the order of the input's fields, each at its first place. `answers`: to what the step itself requires, sorted. */
export function unknownNames(
  snapshot: Pick<Snapshot, 'observed' | 'desired' | 'xr'>,
  input: Input,
  answers: Snapshot['required'],
): readonly UnknownName[] {
  const others = [...unknownRequired(answers, input), ...unknownOfXr(snapshot.xr, input.protect?.xrMatch)];
  const selectors = selectorsIn(input);
  if (selectors.length === 0) return others;
  const all = resourcesOf(snapshot, input);
  const said = new Map<string, UnknownName>();
  for (const [path, selector] of selectors) {
    for (const unknown of unknownIn(selector, all)) {
      const key = unknown.name === '' ? path : `${unknown.part ?? ''} ${unknown.name}`;
      if (!said.has(key)) said.set(key, {path, ...unknown});
    }
  }
  return [...said.values(), ...others];
}

function unknownRequired(answers: Snapshot['required'], {protect}: Input): readonly UnknownName[] {
  const rules = protect?.required ?? [];
  if (rules.length === 0) return [];
  const all = [...answers].flatMap(([name, views]) =>
    (views.length === 0 ? [absent] : views).map((view) => new Map<string, Named>([[name, view]])),
  );
  // Of an object that is not there its requirement shows no kind and no label.
  const isShown = ![...answers.values()].some(({length}) => length === 0);
  return rules.flatMap(({match}, index) =>
    (match === undefined ? [] : unknownIn(match, all))
      .filter(({part}) => part === undefined || part === 'pattern' || isShown)
      .map((unknown) => ({path: `protect.required[${index}].match`, among: 'required' as const, ...unknown})),
  );
}

function unknownOfXr(xr: ResourceView, match: Selector | undefined): readonly UnknownName[] {
  if (match === undefined) return [];
  const {labels: _, ...lasting} = match;
  return unknownIn(lasting, [new Map([['', xr]])])
    .filter(({part}) => part !== 'selector')
    .map((unknown) => ({path: 'protect.xrMatch', among: 'xr' as const, ...unknown}));
}

const absent: Named = {apiVersion: '', kind: '', field: () => undefined};

type Unknown = Pick<UnknownName, 'name' | 'part'>;

function unknownIn(selector: Selector, all: readonly ReadonlyMap<string, Named>[]): readonly Unknown[] {
  if (selector.optional) return [];
  const {resources = [], pattern, kinds = [], labels = []} = selector;
  const hasNone = (part: Selector) => !all.some((views) => hasMatch(part, views));
  const parts: readonly Unknown[] = [
    ...resources.filter((name) => !all.some((views) => views.has(name))).map((name) => ({name})),
    ...(pattern !== undefined && hasNone({pattern}) ? [{part: 'pattern' as const, name: pattern}] : []),
    ...kinds
      .filter((kind) => hasNone({kinds: [kind]}))
      .map(({apiVersion, kind}) => ({part: 'kinds' as const, name: `${kind} of ${apiVersion}`})),
    ...labels
      .filter((label) => hasNone({labels: [label]}))
      .map(({key, value}) => ({part: 'labels' as const, name: `${key}=${value}`})),
  ];
  // If a selector has only one part, the loop above has reported it already.
  const said = [resources.length > 0, pattern !== undefined, kinds.length > 0].filter(Boolean).length + labels.length;
  return parts.length === 0 && said > 1 && hasNone(selector) ? [{part: 'selector', name: ''}] : parts;
}

/** In nearly every call the first one matches, so no list is made of the others. */
function hasMatch(part: Selector, views: ReadonlyMap<string, Named>): boolean {
  for (const [name, view] of views) if (matches(part, name, view as ResourceView)) return true;
  return false;
}

/** Of an order the ends in the order of their names, and the steps of a sequence after them. */
function selectorsIn({
  externalNames,
  handover = [],
  order = [],
  protect,
  removal,
}: Input): readonly (readonly [string, Selector])[] {
  const found: (readonly [string, Selector | undefined])[] = [
    ...(externalNames?.from ?? []).map(({match}, index) => [`externalNames.from[${index}].match`, match] as const),
    ...handover.map(({from, dryRun}, index) => [`handover[${index}].from`, dryRun ? from : undefined] as const),
    ...order.flatMap(({by, of, sequence = []}, index) => [
      [`order[${index}].by`, by] as const,
      [`order[${index}].of`, of] as const,
      ...sequence.map((step, at) => [`order[${index}].sequence[${at}]`, step] as const),
    ]),
    ...(protect?.resources ?? []).map(({match}, index) => [`protect.resources[${index}].match`, match] as const),
    ...(removal?.policies ?? []).map(({match}, index) => [`removal.policies[${index}].match`, match] as const),
  ];
  return found.filter((one): one is readonly [string, Selector] => one[1] !== undefined);
}

/** All desired and observed resources, and those of templates that are left out at the moment. */
function resourcesOf(
  {observed, desired}: Pick<Snapshot, 'observed' | 'desired'>,
  {resources = []}: Input,
): readonly ReadonlyMap<string, Named>[] {
  return [desired, observed, new Map(resources.map(({name, base}) => [name, templateOf(base as Json)]))];
}

function templateOf(base: Json): Named {
  return {
    apiVersion: text(at(base, ['apiVersion'])),
    kind: text(at(base, ['kind'])),
    field: (path) => at(base, path),
  };
}

/** The names in `usages` that no resource has. */
export function unknownEnds(snapshot: Snapshot, {usages = [], resources = []}: Input): readonly UnknownName[] {
  let remembered: ReadonlySet<string> | undefined;
  const isRemembered = (name: string) => {
    remembered ??= new Set([...namesOnUsages(snapshot), ...resources.map((made) => made.name)]);
    return remembered.has(name);
  };
  const isUnknown = (name: string, other: string) => {
    if (snapshot.desired.has(name) || snapshot.observed.has(name) || isRemembered(name)) return false;
    return !snapshot.observed.has(other) || snapshot.desired.has(other);
  };
  return usages.flatMap(({of, by, optional}, index): UnknownName[] => {
    if (optional) return [];
    return [
      ...(isUnknown(of, by) ? [{path: `usages[${index}].of`, name: of}] : []),
      ...(isUnknown(by, of) ? [{path: `usages[${index}].by`, name: by}] : []),
    ];
  });
}

function namesOnUsages(snapshot: Snapshot): Set<string> {
  const names = new Set<string>();
  for (const view of snapshot.observed.values()) {
    if (!isUsage(view)) continue;
    const {of, by} = pairOf(view);
    names.add(of).add(by);
  }
  return names;
}
