// What selectors of the input say and nothing that is desired or observed has: a resource name, a pattern, a kind, a label. It is
// more likely a mistake (a glob, a part of a name, the kind of another group), and then an order does not order and a policy does not
// keep what it should. It may come later all the same, so it is said and changes nothing; `optional` beside it says that it may be so.
//
// Left out: `handover`, whose `from` means nothing any more once all has moved, and what is only required.

import type {UnknownName} from '../words/events.ts';
import {at, type Json, text} from '../words/json.ts';
import type {ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Input} from './input.ts';
import {matches, type Selector} from './selector.ts';

type Named = Pick<ResourceView, 'apiVersion' | 'kind' | 'field'>;

/** In the order of the input's fields; each at the first place that says it. */
export function unknownNames(snapshot: Pick<Snapshot, 'observed' | 'desired'>, input: Input): readonly UnknownName[] {
  const selectors = selectorsIn(input);
  if (selectors.length === 0) return [];
  const all = resourcesOf(snapshot, input);
  const said = new Map<string, UnknownName>();
  for (const [path, selector] of selectors) {
    for (const unknown of unknownIn(selector, all)) {
      const key = unknown.name === '' ? path : `${unknown.part ?? ''} ${unknown.name}`;
      if (!said.has(key)) said.set(key, {path, ...unknown});
    }
  }
  return [...said.values()];
}

type Unknown = Omit<UnknownName, 'path'>;

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
  // Of one that says one thing alone it is known by now.
  const said = [resources.length > 0, pattern !== undefined, kinds.length > 0].filter(Boolean).length + labels.length;
  return parts.length === 0 && said > 1 && hasNone(selector) ? [{part: 'selector', name: ''}] : parts;
}

/** In nearly every call the first one matches, so no list is made of the others. */
function hasMatch(part: Selector, views: ReadonlyMap<string, Named>): boolean {
  for (const [name, view] of views) if (matches(part, name, view as ResourceView)) return true;
  return false;
}

/** Of an order the ends in the order of their names, and the steps of a sequence after them. */
function selectorsIn({externalNames, order = [], protect, removal}: Input): readonly (readonly [string, Selector])[] {
  const found: (readonly [string, Selector | undefined])[] = [
    ...(externalNames?.from ?? []).map(({match}, index) => [`externalNames.from[${index}].match`, match] as const),
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

/** What is desired or observed, and what a template would compose that is left out just now. */
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
