// Resource names that the input says and no resource has. A pattern that matches nothing today may match tomorrow, and is
// meant to; a plain name is more likely a typo, and then an order does not order and a policy does not keep what it should.
// It may come later all the same, so it is said and changes nothing. (A name in `usages` has `optional` for that.)

import {isList, isObject, type Json} from '../json.ts';
import type {Snapshot} from '../snapshot.ts';
import type {Input} from './input.ts';

export interface UnknownName {
  /** Of the selector in the input. */
  readonly path: string;
  readonly name: string;
}

/** In the order of the input's fields, sorted; each name at the first place that says it. */
export function unknownNames({observed, desired}: Pick<Snapshot, 'observed' | 'desired'>, input: Input) {
  const {externalNames, order, protect, removal, resources = []} = input;
  const said = new Map<string, string>();
  collect(externalNames?.from, 'externalNames.from', said);
  collect(order, 'order', said);
  collect(protect?.resources, 'protect.resources', said);
  collect(removal?.policies, 'removal.policies', said);
  const templates = new Set(resources.map(({name}) => name));
  const isKnown = (name: string) => desired.has(name) || observed.has(name) || templates.has(name);
  return [...said].flatMap(([name, path]): UnknownName[] => (isKnown(name) ? [] : [{path, name}]));
}

function collect(value: Json | undefined, path: string, said: Map<string, string>): void {
  if (isList(value)) for (const [index, item] of value.entries()) collect(item, `${path}[${index}]`, said);
  if (!isObject(value)) return;
  for (const key of Object.keys(value).sort()) {
    const below = value[key];
    if (key !== 'resources' || !isList(below)) collect(below, `${path}.${key}`, said);
    else for (const name of below) if (typeof name === 'string' && !said.has(name)) said.set(name, path);
  }
}
