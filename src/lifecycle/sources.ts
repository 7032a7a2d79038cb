// What the input's expressions may read: the XR, the composed resources as they are observed, the answers to
// requirements, the pipeline's context; and the request's two states, as function-sequencer's conditions know them.

import type {Source} from './cel-values.ts';
import {at, fromEntries, type Json} from './json.ts';
import type {ResourceView, Snapshot} from './snapshot.ts';

/** Names that every expression of the input may use. */
export const celVariables = ['xr', 'resources', 'context', 'required', 'observed', 'desired'] as const;

export type Sources = {readonly [variable in (typeof celVariables)[number]]: Source};

export function sourcesOf(snapshot: Snapshot): Sources {
  const {xr, observed, desired, required, context, desiredXr} = snapshot;
  return {
    xr: (path) => fieldOf(xr, path),
    resources: (path) => below(observed, path, fieldOf),
    context: (path) => context(path),
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

function fieldOf(view: ResourceView, path: readonly string[]): Json | undefined {
  return path.length === 0 ? view.json() : view.field(path);
}

/** A value below a map of things, or all of the map. */
function below<T>(
  map: ReadonlyMap<string, T>,
  [name, ...rest]: readonly string[],
  read: (value: T, path: readonly string[]) => Json | undefined,
): Json | undefined {
  if (name === undefined) return fromEntries([...map].map(([key, value]) => [key, read(value, []) ?? null]));
  const value = map.get(name);
  return value === undefined ? undefined : read(value, rest);
}

// apiextensions.fn.proto.v1 State: `composite.resource` and `resources["name"].resource`. Connection details and ready are
// left out: the first are nobody's business, the second is a number there that says nothing an expression should read.
function stateField(
  composite: ResourceView | undefined,
  resources: ReadonlyMap<string, ResourceView>,
  [member, ...path]: readonly string[],
): Json | undefined {
  const resource = (view: ResourceView, [field, ...rest]: readonly string[]): Json | undefined => {
    if (field === undefined) return {resource: view.json()};
    return field === 'resource' ? fieldOf(view, rest) : undefined;
  };
  const compositeAt = (rest: readonly string[]) => (composite === undefined ? undefined : resource(composite, rest));
  switch (member) {
    case undefined:
      return fromEntries([
        ['composite', compositeAt([]) ?? {}],
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
