// ProviderConfigs and their usages: a managed resource that connects creates a ProviderConfigUsage of its own, and a ProviderConfig
// that is deleted stays until no usage names it. The usage belongs to the managed resource and has no finalizer, so the owner GC
// deletes it as soon as the managed resource is deleted in the foreground. The config may then go first; the managed resource can
// no longer connect, and stays (crossplane-runtime#1049).
//
// A usage that a restore brings back has no controller. The reconciler would delete it, but Crossplane's RBAC gives no provider
// that verb, so it ends there: the config gets no finalizer, and once deleted it waits for that usage for good (crossplane#6665;
// crossplane/crossplane 2d040d2da internal/controller/rbac/provider/roles/roles.go:59 verbsSystem, the same since v1.16.1).
//
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/resource/providerconfig.go Track and ExtractSecret,
// pkg/reconciler/providerconfig/reconciler.go, pkg/resource/enqueue_handlers.go. Not modelled: the usage's own finalizer
// (crossplane-runtime#1113, in no release up to v2.4), ClusterRoles that a platform adds, the content of Secrets, Secrets that a
// story does not mention, and each provider's error for a missing config.

import {isObject, type Json, type JsonObject} from '../json.ts';
import {api, cached, done, note, now, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {type Controller, keyOf, parseKey, type Watch} from '../kernel/process.ts';
import {
  asController,
  controllerOf,
  type GroupVersionKind,
  groupKindOf,
  groupOf,
  isDeleting,
  type KubeObject,
  refOf,
} from '../object.ts';
import {labelComposite} from '../vocabulary.ts';
import {withConditionsSet} from './conditions.ts';

/** A kind of config of a provider, and the kind of its usages. */
export interface ConfigKind extends GroupVersionKind {
  readonly namespaced: boolean;
  readonly usage: GroupVersionKind;
  /** Its provider is built with a crossplane-runtime before 2.3, which counts the usages of every namespace (crossplane#7154). */
  readonly countsEveryNamespace?: true;
  /** Its usages carry no kind of config: those of managed resources without a namespace. */
  readonly legacy: boolean;
}

/** The Secrets of a story. */
export interface KnownSecrets {
  /** Names of those that the story has or writes, in any namespace. */
  readonly made: ReadonlySet<string>;
  /** Names that the story refers to and never creates: such Secrets are assumed to exist. */
  readonly foreign: ReadonlySet<string>;
  /** Resources of the story write Secrets, maybe under names that a template makes. */
  readonly areWritten: boolean;
}

interface Connecting {
  readonly configs: readonly ConfigKind[];
  readonly secrets: KnownSecrets;
  readonly manager: string;
}

export const noSecrets: KnownSecrets = {made: new Set(), foreign: new Set(), areWritten: false};

const finalizer = 'in-use.crossplane.io';
const labelName = 'crossplane.io/provider-config';
const labelKind = 'crossplane.io/provider-config-kind';
const blocking = 'Blocking deletion while usages still exist';
const shortWait: Outcome = {kind: 'requeue-after', afterMs: 30_000};

/** The configs that managed resources of a group name: `aws.m.upbound.io` has those of `ec2.aws.m.upbound.io`. */
export function configsFor(
  {apiVersion}: Pick<GroupVersionKind, 'apiVersion'>,
  configs: readonly ConfigKind[],
): readonly ConfigKind[] {
  const group = groupOf(apiVersion);
  return configs.filter((config) => `.${group}`.endsWith(`.${groupOf(config.apiVersion)}`));
}

/** Connects by the config that the managed resource names. Returns the reason if it cannot. */
export function* connectByConfig(
  {configs, secrets, manager}: Connecting,
  managed: KubeObject,
): Step<string | undefined> {
  const {kind: said, name} = configRefOf(managed);
  const kind = String(said ?? 'ProviderConfig');
  const config = configsFor(managed, configs).find((one) => one.kind === kind);
  if (config === undefined) return undefined;
  const problem = yield* track(config, manager, managed, {name, kind});
  if (problem !== undefined) return problem;
  const place = config.namespaced ? {namespace: managed.metadata.namespace ?? ''} : {};
  const read = yield* cached({verb: 'get', ref: {apiVersion: config.apiVersion, kind, name, ...place}});
  if (!read.ok) return `cannot get ProviderConfig: ${read.message}`;
  if (read.object !== undefined) return yield* getCredentials(secrets, read.object);
  return `cannot get ProviderConfig: ${groupKindOf(config)} "${name}" not found`;
}

/** Without one, the default in every provider's definitions (crossplane-runtime apis/common v1 and v2 managed.go). */
function configRefOf({metadata, spec}: KubeObject): {readonly kind?: Json; readonly name: string} {
  const ref = spec?.['providerConfigRef'];
  if (isObject(ref)) return {...ref, name: String(ref['name'] ?? '')};
  return metadata.namespace === undefined ? {name: 'default'} : {kind: 'ClusterProviderConfig', name: 'default'};
}

/** Checks that each Secret exists from which the config takes credentials. */
function* getCredentials({made, foreign, areWritten}: KnownSecrets, config: KubeObject): Step<string | undefined> {
  // `identity` is what the providers for Kubernetes and for Helm add.
  for (const field of ['credentials', 'identity']) {
    const {source, secretRef} = asMap(config.spec?.[field]);
    const {name, namespace} = asMap(secretRef);
    if (source !== 'Secret' || typeof name !== 'string') continue;
    const isComposed = config.metadata.labels?.[labelComposite] !== undefined;
    if (!made.has(name) && (foreign.has(name) || !areWritten || !isComposed)) continue;
    const where = namespace ?? config.metadata.namespace;
    const place = typeof where === 'string' ? {namespace: where} : {};
    const read = yield* cached({verb: 'get', ref: {apiVersion: 'v1', kind: 'Secret', name, ...place}});
    const problem = !read.ok ? read.message : read.object === undefined ? `Secret "${name}" not found` : undefined;
    if (problem !== undefined) return `cannot get credentials: cannot get credentials secret: ${problem}`;
  }
  return undefined;
}

function asMap(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Creates the usage of the config, and updates it if the managed resource names another. */
function* track(
  {usage, legacy}: ConfigKind,
  manager: string,
  managed: KubeObject,
  {name, kind}: {readonly name: string; readonly kind: string},
): Step<string | undefined> {
  const {uid = '', namespace} = managed.metadata;
  const place = legacy || namespace === undefined ? {} : {namespace};
  const reference: JsonObject = legacy ? {name} : {name, kind};
  const read = yield* cached({verb: 'get', ref: {...usage, name: uid, ...place}});
  if (!read.ok) return `cannot apply ProviderConfigUsage: cannot get object: ${read.message}`;
  const object: KubeObject = {
    ...usage,
    metadata: {
      name: uid,
      ...place,
      labels: legacy ? {[labelName]: name} : {[labelName]: name, [labelKind]: kind},
      ownerReferences: [asController(managed)],
    },
    providerConfigRef: reference,
    resourceRef: {apiVersion: managed.apiVersion, kind: managed.kind, name: managed.metadata.name},
  };
  const before = read.object;
  if (before === undefined) {
    const made = yield* api({verb: 'create', object, manager});
    // A cache that does not show the usage yet: the next try finds it.
    return made.ok ? undefined : `cannot apply ProviderConfigUsage: cannot create object: ${made.message}`;
  }
  const owner = controllerOf(before)?.uid;
  if (owner !== undefined && owner !== uid) {
    return `cannot apply ProviderConfigUsage: existing object is not controlled by UID "${uid}"`;
  }
  const named = before['providerConfigRef'];
  if (isObject(named) && named['name'] === name && (legacy || named['kind'] === kind)) return undefined;
  const {resourceVersion = ''} = before.metadata;
  const next = {...object, metadata: {...object.metadata, resourceVersion}};
  const written = yield* api({verb: 'update', object: next, manager});
  return written.ok ? undefined : `cannot apply ProviderConfigUsage: cannot update object: ${written.message}`;
}

/** The controllers of a provider's configs. */
export function configControllers(configs: readonly ConfigKind[], manager: string): readonly Controller[] {
  return configs.map((config) => ({
    name: controllerName(config),
    reconcile: (key) => reconcileConfig(config, manager, key),
    backoff: {baseMs: 1000, maxMs: 60_000},
    timeoutMs: 120_000,
  }));
}

export function configWatches<M>(configs: readonly ConfigKind[]): readonly Watch<M>[] {
  return configs.flatMap((config): readonly Watch<M>[] => [
    {
      apiVersion: config.apiVersion,
      kind: config.kind,
      controller: controllerName(config),
      id: 'config',
      handle: ({object}) => ({keys: [{key: keyOf(object.metadata)}]}),
    },
    {
      ...config.usage,
      controller: controllerName(config),
      id: 'usages',
      handle: ({object}) => ({keys: configOf(config, object).map((key) => ({key}))}),
    },
  ]);
}

function controllerName({apiVersion, kind}: ConfigKind): string {
  return `providerconfig/${kind.toLowerCase()}.${groupOf(apiVersion)}`;
}

/** The key of the config that a usage names, where it is of this kind. */
function configOf({kind, legacy, namespaced}: ConfigKind, usage: KubeObject): readonly string[] {
  const ref = usage['providerConfigRef'];
  if (!isObject(ref) || typeof ref['name'] !== 'string') return [];
  if (!legacy && (ref['kind'] ?? 'ProviderConfig') !== kind) return [];
  const {namespace} = usage.metadata;
  return [keyOf({name: ref['name'], ...(namespaced && namespace !== undefined ? {namespace} : {})})];
}

function* reconcileConfig(config: ConfigKind, manager: string, key: string): Reconcile {
  const {apiVersion, kind} = config;
  const read = yield* cached({verb: 'get', ref: {apiVersion, kind, ...parseKey(key)}});
  if (!read.ok) return {kind: 'retry', reason: read.message};
  if (read.object === undefined) return done;
  const {name, namespace} = read.object.metadata;
  const matchLabels = config.legacy ? {[labelName]: name} : {[labelName]: name, [labelKind]: kind};
  const within = namespace === undefined || config.countsEveryNamespace === true ? {} : {namespace};
  const listed = yield* cached({verb: 'list', ...config.usage, ...within, selector: {matchLabels}});
  if (!listed.ok) return shortWait;
  const stale = listed.items.find((usage) => controllerOf(usage) === undefined);
  if (stale !== undefined) {
    const message = `cannot delete ProviderConfigUsage: "${stale.metadata.name}" is forbidden: no provider may delete its own kinds`;
    yield* note({type: 'Warning', reason: 'UsageAccounting', message, about: refOf(read.object)});
    return shortWait;
  }
  const users = listed.items.length;
  return isDeleting(read.object) ? yield* letGo(read.object, users, manager) : yield* hold(read.object, users, manager);
}

function* letGo(config: KubeObject, users: number, manager: string): Step<Outcome> {
  if (users > 0) {
    const condition = {type: 'Terminating', status: 'True', reason: 'InUse', message: blocking} as const;
    return yield* writeStatus(config, users, manager, condition);
  }
  const finalizers = (config.metadata.finalizers ?? []).filter((one) => one !== finalizer);
  const object = {...config, metadata: {...config.metadata, finalizers}};
  const written = yield* api({verb: 'update', object, manager});
  return written.ok ? done : shortWait;
}

function* hold(config: KubeObject, users: number, manager: string): Step<Outcome> {
  const before = config.metadata.finalizers ?? [];
  const finalizers = before.includes(finalizer) ? before : [...before, finalizer];
  const written = yield* api({
    verb: 'update',
    object: {...config, metadata: {...config.metadata, finalizers}},
    manager,
  });
  if (!written.ok) return shortWait;
  return yield* writeStatus(written.object ?? config, users, manager);
}

function* writeStatus(
  config: KubeObject,
  users: number,
  manager: string,
  condition?: Parameters<typeof withConditionsSet>[1][number],
): Step<Outcome> {
  const nowMs = yield* now();
  const marked = condition === undefined ? config : withConditionsSet(config, [condition], nowMs);
  // A count of zero is left out, as Go does.
  const {users: _, ...others} = marked.status ?? {};
  const status = users === 0 ? others : {...others, users};
  const written = yield* api({verb: 'update', object: {...marked, status}, manager, subresource: 'status'});
  return written.ok ? done : {kind: 'retry', reason: `cannot update ProviderConfig status: ${written.message}`};
}
