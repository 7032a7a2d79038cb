// The variables of the input's expressions: the XR, the observed composed resources, the answers to requirements, and the
// pipeline's context; and the request's two states, as function-sequencer's conditions know them.

import {at, fromEntries, type Json, sortedMap} from '../words/json.ts';
import type {Ready, ResourceView, Snapshot} from '../words/snapshot.ts';
import {fieldOf, type Source, sourceOf} from './cel/cel.ts';

/** Names that every expression of the input may use. */
const celVariables = ['xr', 'resources', 'context', 'required', 'observed', 'desired'] as const;

/** And those of a `when`: function-sequencer's conditions may contain apiextensions.fn.proto.v1.Ready.READY_TRUE. */
export const whenVariables = [...celVariables, 'apiextensions'] as const;

export type Sources = {readonly [variable in (typeof whenVariables)[number]]: Source};

const readyEnum = {READY_UNSPECIFIED: 0, READY_TRUE: 1, READY_FALSE: 2};

export function sourcesOf(snapshot: Snapshot): Sources {
  const {xr, observed, desired, required, context, desiredXr} = snapshot;
  return {
    apiextensions: (path) => at({fn: {proto: {v1: {Ready: readyEnum}}}}, path),
    xr: sourceOf(xr),
    resources: (path) => below(observed, path, fieldOf),
    context: (path) => context(path) ?? (path.length === 0 ? {} : undefined),
    required: (path) =>
      below(required, path, (views, rest) =>
        at(
          views.map((view) => view.json()),
          rest,
        ),
      ),
    observed: (path) => stateField(xr, observed, path),
    desired: (path) => stateField(desiredXr, desired, path),
  };
}

/** A value below a map of things, or all of the map. */
function below<T>(
  map: ReadonlyMap<string, T>,
  [name, ...rest]: readonly string[],
  read: (value: T, path: readonly string[]) => Json | undefined,
): Json | undefined {
  if (name === undefined) return fromEntries([...sortedMap(map)].map(([key, value]) => [key, read(value, []) ?? null]));
  const value = map.get(name);
  return value === undefined ? undefined : read(value, rest);
}

// apiextensions.fn.proto.v1 State: `composite.resource`, `resources["name"].resource` and `.ready`, which is the number of the enum
// there: 0 unspecified, 1 ready, 2 not. Connection details are left out: they are secret.
function stateField(
  composite: ResourceView | undefined,
  resources: ReadonlyMap<string, ResourceView>,
  [member, ...path]: readonly string[],
): Json | undefined {
  const resource = (view: ResourceView, [field, ...rest]: readonly string[]): Json | undefined => {
    if (field === undefined) return {resource: view.json(), ready: readyNumber(view)};
    if (field === 'ready' && rest.length === 0) return readyNumber(view);
    return field === 'resource' ? fieldOf(view, rest) : undefined;
  };
  // An unset message is an empty one.
  const compositeAt = (rest: readonly string[]) =>
    composite === undefined ? at(unset, rest) : resource(composite, rest);
  switch (member) {
    case undefined:
      return fromEntries([
        ['composite', compositeAt([]) ?? unset],
        ['resources', below(resources, [], resource) ?? {}],
      ]);
    case 'composite':
      return compositeAt(path);
    case 'resources':
      return below(resources, path, resource);
    default:
      return undefined;
  }
}

const unset = {resource: {}, ready: 0};

function readyNumber(view: ResourceView & {readonly ready?: Ready}): number {
  return ['unspecified', 'true', 'false'].indexOf(view.ready ?? 'unspecified');
}
