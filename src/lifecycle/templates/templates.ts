// Composed resources from the input's templates. They join what the earlier steps desire before anything is decided, so orders,
// policies and protections apply to them as to any other resource.
//
// A template whose expressions cannot be resolved yet still wants its resource: an existing one is held as observed, and a new one
// waits. Only `include` drops a resource, and then it leaves like one that an earlier step drops. References order: see
// order/references.ts.

import {annotationPhase, labelComposite} from '../facts/marks.ts';
import {viewWith} from '../facts/naming.ts';
import type {Claim} from '../facts/ownership.ts';
import {hasReadyTrue} from '../facts/ready.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';
import {at, fromEntries, isBlank, isObject, type Json, type JsonObject, sortedMap, text} from '../words/json.ts';
import type {Unresolved} from '../words/phrases.ts';
import type {DesiredView, Ready, ResourceView, Snapshot} from '../words/snapshot.ts';
import type {Source} from './cel/cel.ts';
import type {Meter} from './cel/functions.ts';
import {evaluateBoolean, type Resolved, resolve, type Scope} from './value.ts';

export type Template = NonNullable<Input['resources']>[number];

/** A template whose expressions have values. */
interface Composed {
  readonly body: JsonObject;
  readonly ready: Ready;
}

/** Why a template cannot be composed yet. */
interface Open extends Unresolved {
  readonly ready: Ready;
}

export interface Templates {
  readonly kind: 'templates';
  /** Both by resource name; no name is in both. */
  readonly composed: ReadonlyMap<string, Composed>;
  readonly unresolved: ReadonlyMap<string, Open>;
}

export const templateVariables = ['xr', 'resources', 'context', 'required'] as const;
export const readyVariables = [...templateVariables, 'self'] as const;

const noTemplates: Templates = {kind: 'templates', composed: new Map(), unresolved: new Map()};

/** The resources of the input's templates, or the first mistake in them. */
export function composeTemplates(
  snapshot: Snapshot,
  templates: readonly Template[],
  claim: Claim,
  meter: Meter,
): Templates | InvalidInput {
  if (templates.length === 0) return noTemplates;
  const composed = new Map<string, Composed>();
  const unresolved = new Map<string, Open>();
  const scope: Scope = {variables: templateVariables, sources: sourcesOf(snapshot), meter};
  for (const [index, template] of templates.entries()) {
    const path = `resources[${index}]`;
    const problem = formProblem(template, path, snapshot, claim, templates.slice(0, index));
    if (problem !== undefined) return problem;
    const included = includes(template, path, scope);
    if (included.kind === 'invalid-input') return included;
    if (included.kind === 'value' && included.value === false) continue;
    const body = included.kind === 'value' ? resolve(template.base, `${path}.base`, scope) : included;
    if (body.kind === 'invalid-input') return body;
    const said = readiness(template, path, snapshot.observed.get(template.name), scope);
    if (said.kind === 'invalid-input') return said;
    const {ready} = said;
    if (body.kind === 'unresolved') unresolved.set(template.name, {path: body.path, cause: body.cause, ready});
    else composed.set(template.name, {body: body.value as JsonObject, ready});
  }
  return {kind: 'templates', composed, unresolved};
}

/** The snapshot in which the templates are desired, as if by an earlier step. */
export function withTemplates(snapshot: Snapshot, templates: readonly Template[], made: Templates): Snapshot {
  if (templates.length === 0) return snapshot;
  const desired = new Map(snapshot.desired);
  for (const {name, base} of templates) {
    const composed = made.composed.get(name);
    if (composed !== undefined) desired.set(name, {...viewOf(composed.body), ready: composed.ready});
    else if (made.unresolved.has(name)) desired.set(name, placeholder(base, snapshot.observed.get(name)));
  }
  return {...snapshot, desired};
}

const noDetails: ReadonlyMap<string, Uint8Array> = new Map();

/** The literal parts of a base. A resource is known only by these while its expressions are unresolved; its name is unknown. */
function placeholder(base: JsonObject, observed: ResourceView | undefined): DesiredView {
  const ready = 'unspecified';
  return observed === undefined ? {...viewOf(base), name: '', ready} : viewWith(observed, {ready});
}

function viewOf(object: JsonObject): ResourceView {
  return {
    apiVersion: text(object['apiVersion']),
    kind: text(object['kind']),
    name: text(at(object, ['metadata', 'name'])),
    namespace: text(at(object, ['metadata', 'namespace'])),
    uid: text(at(object, ['metadata', 'uid'])),
    field: (path) => at(object, path),
    isBlank: (path) => isBlank(at(object, path)),
    connectionDetails: noDetails,
    json: () => object,
  };
}

function includes({include}: Template, path: string, scope: Scope): Resolved {
  if (include === undefined) return {kind: 'value', value: true};
  return evaluateBoolean(include, `${path}.include`, scope);
}

/** The value of `readyWhen`, false while it is unresolved; without `readyWhen`, the object's own condition. */
function readiness(
  {readyWhen}: Template,
  path: string,
  observed: ResourceView | undefined,
  scope: Scope,
): {readonly kind: 'ready'; readonly ready: Ready} | InvalidInput {
  const says = (ready: Ready) => ({kind: 'ready', ready}) as const;
  if (readyWhen === undefined) return says(observed !== undefined && hasReadyTrue(observed) ? 'true' : 'unspecified');
  const sources = {...scope.sources, self: observed === undefined ? undefined : sourceOf(observed)};
  const resolved = evaluateBoolean(readyWhen, `${path}.readyWhen`, {...scope, variables: readyVariables, sources});
  if (resolved.kind === 'invalid-input') return resolved;
  if (resolved.kind === 'unresolved') return says('false');
  return says(resolved.value ? 'true' : 'false');
}

/** An object of the request as a variable. */
export function sourceOf(view: ResourceView): Source {
  return (path) => fieldOf(view, path);
}

/** The value at a path of an object, or the whole object. */
function fieldOf(view: ResourceView, path: readonly string[]): Json | undefined {
  return path.length === 0 ? view.json() : view.field(path);
}

/** True if an earlier step of function-tether in the same pipeline keeps, adopts or moves it. */
export function isKeptEarlier(wanted: DesiredView | undefined, {id}: Claim): boolean {
  const phase = wanted?.field(['metadata', 'annotations', annotationPhase]) ?? 'adopted';
  return phase !== 'adopted' && wanted?.field(['metadata', 'labels', labelComposite]) === id;
}

/** Mistakes in a template that no schema can find. Kinds are literal, because a waiting resource has to be known by its kind. */
function formProblem(
  {name, base}: Template,
  path: string,
  {desired}: Snapshot,
  claim: Claim,
  earlier: readonly Template[],
): InvalidInput | undefined {
  const invalid = (below: string, expected: string, got: string): InvalidInput => ({
    kind: 'invalid-input',
    path: `${path}.${below}`,
    expected,
    got,
  });
  if (earlier.some((other) => other.name === name)) {
    return invalid('name', 'a resource name that no other template has', show(name));
  }
  // A step of function-tether before this one knows nothing of the template.
  if (desired.has(name) && !isKeptEarlier(desired.get(name), claim))
    return invalid('name', 'a resource name that no earlier step desires', show(name));
  for (const key of ['apiVersion', 'kind']) {
    const value = text(base[key]);
    if (value === '' || value.includes('${')) return invalid(`base.${key}`, 'a literal string', show(base[key]));
  }
  const metadata = base['metadata'];
  if (metadata !== undefined && !isObject(metadata)) return invalid('base.metadata', 'an object', show(metadata));
  return undefined;
}

// The variables of the input's expressions: the XR, the observed composed resources, the answers to requirements, and the
// pipeline's context; and the request's two states, as function-sequencer's conditions know them.

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
