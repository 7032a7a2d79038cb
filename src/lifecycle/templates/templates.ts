// Composed resources from the input's templates. They join what the earlier steps desire before anything is decided, so orders,
// policies and protections apply to them as to any other resource.
//
// A template whose expressions cannot be resolved yet still wants its resource: an existing one is held as observed, and a new one
// waits. Only `include` drops a resource, and then it leaves like one that an earlier step drops. References order: see
// order/references.ts.

import {annotationPhase, labelComposite} from '../facts/marks.ts';
import {viewWith} from '../facts/named-view.ts';
import type {Claim} from '../facts/ownership.ts';
import {hasReadyTrue} from '../facts/ready.ts';
import type {Input, InvalidInput} from '../input/input.ts';
import {show} from '../input/validate.ts';
import {at, isBlank, isObject, type JsonObject, text} from '../words/json.ts';
import type {Unresolved} from '../words/phrases.ts';
import type {DesiredView, Ready, ResourceView, Snapshot} from '../words/snapshot.ts';
import {sourceOf} from './cel/cel.ts';
import type {Meter} from './cel/functions.ts';
import {sourcesOf} from './sources.ts';
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

/** True if an earlier step of function-tether in the same pipeline desires it only to keep or to adopt it. */
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
