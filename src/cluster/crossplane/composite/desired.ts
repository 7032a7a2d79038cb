// Desired composed resources: the pipeline's output, with the metadata that makes them the XR's.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (Compose, second half), composition_render.go.

import type {StateBody} from '../../../wire/request-encode.ts';
import {noMatch} from '../../client/client-error.ts';
import {isObject, type Json, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {now, scopeOfKind} from '../../kernel/call.ts';
import {remembering} from '../../memo.ts';
import {asController, controllerOf, type KubeObject, refOf} from '../../object.ts';
import {annotationResourceName, labelClaimName, labelClaimNamespace, labelComposite} from '../../vocabulary.ts';
import {get} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import {childName, isValidName, randomName} from '../object-names.ts';
import type {Profile} from '../profile.ts';
import type {Observed} from './observe.ts';
import type {TargetedEvent} from './pipeline.ts';

interface DesiredResource {
  /** The body of the server-side apply. */
  readonly object: KubeObject;
  readonly ready: boolean;
}

export type Desired = ReadonlyMap<string, DesiredResource>;

export function* renderDesired(
  state: StateBody,
  xr: KubeObject,
  observed: Observed,
  profile: Profile,
): Step<Result<{readonly desired: Desired; readonly events: readonly TargetedEvent[]}>> {
  const desired = new Map<string, DesiredResource>();
  const events: TargetedEvent[] = [];
  // A function may answer its map in another order each time, as Go programs do. Sorting leaves all chance to the seed.
  for (const [name, body] of [...state.resources].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const named = withObservedName(asObject(body.object), observed.get(name)?.object, profile);
    const scoped = yield* checkNamespace(named, name, xr);
    if (!scoped.ok) return scoped;
    events.push(...overridden(named, name, xr));
    // Nothing can be written into metadata that is no map, no name either.
    if (body.object['metadata'] !== undefined && !isObject(body.object['metadata'])) {
      return failed(invalidName(name, {...named, metadata: {name: ''}}));
    }
    const rendered = render(named, name, xr, profile);
    if (!rendered.ok) return wrapped(`cannot render metadata for composed resource "${name}"`, rendered);
    const object = yield* withName(rendered.value, name, profile);
    if (!object.ok) return wrapped(`cannot generate a name for composed resource "${name}"`, object);
    if (profile.invalidNames === 'refused' && !isValidName(object.value.metadata.name, object.value)) {
      return failed(invalidName(name, object.value));
    }
    desired.set(name, {object: object.value, ready: body.ready === 'true'});
  }
  return success({desired, events});
}

// Crossplane reads metadata as unstructured objects give it: a name that is no text is none, and labels or annotations are
// none at all where one value is no text; what it writes then takes their place (kubernetes/apimachinery v0.34.2
// pkg/apis/meta/v1/unstructured/helpers.go NestedStringMap, crossplane-runtime pkg/meta/meta.go AddLabels).
const asObject = remembering((object: JsonObject): KubeObject => {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const kept = Object.entries(metadata).filter(([key, value]) => !isUnread(key, value));
  return {...object, metadata: Object.fromEntries(kept)} as KubeObject;
});

function isUnread(key: string, value: Json): boolean {
  if (key === 'name' || key === 'generateName') return typeof value !== 'string';
  if (key !== 'labels' && key !== 'annotations') return false;
  return !isObject(value) || Object.values(value).some((item) => typeof item !== 'string');
}

// An existing resource keeps its name and namespace, whatever the function desires.
function withObservedName(object: KubeObject, observed: KubeObject | undefined, profile: Profile): KubeObject {
  if (observed === undefined) return object;
  const {name, namespace, generateName} = observed.metadata;
  const {generateName: asked, namespace: _, ...rest} = object.metadata;
  const prefix = profile.generateName === 'always-prefix' ? asked : generateName;
  return {
    ...object,
    metadata: {
      ...rest,
      name,
      ...(namespace === undefined ? {} : {namespace}),
      ...(prefix === undefined ? {} : {generateName: prefix}),
    } as KubeObject['metadata'],
  };
}

// A namespaced XR may compose only namespaced resources. Before v2 there are no namespaced XRs.
function* checkNamespace(object: KubeObject, name: string, xr: KubeObject): Step<Result<void>> {
  if (xr.metadata.namespace === undefined || object.metadata.namespace !== undefined) return success(undefined);
  const {kind, metadata} = object;
  const named = `(a ${kind ?? ''} named ${metadata.name ?? ''})`;
  const unknown = `cannot check if composed resource "${name}" is namespaced ${named}`;
  const scope = yield* scopeOfKind(object);
  if (scope === undefined) {
    const noKind = "Object 'Kind' is missing in 'unstructured object has no kind'";
    const why = (kind ?? '') === '' ? noKind : `failed to get restmapping: ${noMatch(object).message}`;
    return failed(`${unknown}: ${why}`);
  }
  if (scope === 'Namespaced') return success(undefined);
  return failed(
    `cannot apply cluster scoped composed resource "${name}" ${named} for a namespaced composite resource.`,
  );
}

function overridden(object: KubeObject, name: string, xr: KubeObject): readonly TargetedEvent[] {
  const {namespace} = xr.metadata;
  const asked = object.metadata.namespace;
  if (namespace === undefined || asked === undefined || asked === namespace) return [];
  const message = `cannot create composed resource "${name}" in namespace "${asked}", using XR namespace "${namespace}" instead`;
  return [{type: 'Warning', reason: 'NamespaceOverridden', message, claimToo: false}];
}

function render(object: KubeObject, name: string, xr: KubeObject, profile: Profile): Result<KubeObject> {
  const prefix = xr.metadata.labels?.[labelComposite] ?? '';
  if (prefix === '') {
    return failed(
      `cannot find top-level composite resource name label "${labelComposite}" in composite resource metadata`,
    );
  }
  const owner = asController(xr);
  const controller = controllerOf(object);
  if (controller !== undefined && controller.uid !== owner.uid) {
    const by = `${controller.kind} ${controller.name} (UID ${controller.uid})`;
    return failed(`cannot set controller reference: ${object.metadata.name ?? ''} is already controlled by ${by}`);
  }
  const {metadata} = object;
  const {namespace} = xr.metadata;
  return success({
    ...object,
    metadata: {
      ...metadata,
      ...generateName(object, prefix, profile),
      ...(namespace === undefined ? {} : {namespace}),
      annotations: {...metadata.annotations, [annotationResourceName]: name},
      labels: {...metadata.labels, ...ownLabels(xr, prefix, profile)},
      ownerReferences: [...(metadata.ownerReferences ?? []).filter(({uid}) => uid !== owner.uid), owner],
    },
  });
}

function generateName({metadata}: KubeObject, prefix: string, profile: Profile): {readonly generateName?: string} {
  if (profile.generateName === 'always-prefix') return {generateName: `${prefix}-`};
  const named = (metadata.name ?? '') !== '' || (metadata.generateName ?? '') !== '';
  return named ? {} : {generateName: `${prefix}-`};
}

function ownLabels(xr: KubeObject, prefix: string, profile: Profile): {readonly [key: string]: string} {
  const name = xr.metadata.labels?.[labelClaimName] ?? '';
  const namespace = xr.metadata.labels?.[labelClaimNamespace] ?? '';
  const claimed = profile.composedClaimLabels === 'always' || (name !== '' && namespace !== '');
  const claim = claimed ? {[labelClaimName]: name, [labelClaimNamespace]: namespace} : {};
  return {[labelComposite]: prefix, ...claim};
}

function* withName(object: KubeObject, resourceName: string, profile: Profile): Step<Result<KubeObject>> {
  const {metadata} = object;
  const {name, generateName: prefix = ''} = metadata;
  if ((name ?? '') !== '') return success(object);
  const owner = controllerOf(object)?.uid ?? '';
  if (profile.composedNames === 'uid-hash') {
    return success({...object, metadata: {...metadata, name: childName(prefix, owner, resourceName)}});
  }
  return yield* withRandomName(object, `${owner} ${resourceName}`, profile.reads);
}

/** Gives the object a random name that nothing has yet, after its generateName. Ten tries. */
export function* withRandomName(object: KubeObject, seed: string, reads: Profile['reads']): Step<Result<KubeObject>> {
  const nowMs = yield* now();
  for (let attempt = 0; attempt < 10; attempt++) {
    const name = randomName(object.metadata.generateName ?? '', `${seed} ${nowMs} ${attempt}`);
    const named = {...object, metadata: {...object.metadata, name}};
    const taken = yield* get(refOf(named), reads);
    if (!taken.ok) return taken;
    if (taken.value === undefined) return success(named);
  }
  return failed('cannot generate a name for a resource');
}

function invalidName(name: string, {metadata}: KubeObject): string {
  const rule = 'Must be a valid RFC 1123 subdomain name.';
  return `cannot apply composed resource "${name}" because it has an invalid name "${metadata.name}". ${rule}`;
}
