import type {ApiRequest} from '../../../src/cluster/api/request.ts';
import {type CloudConfig, defaultConfig} from '../../../src/cluster/cloud/cloud-config.ts';
import {aliveExternals, cloudModel, countersAt} from '../../../src/cluster/cloud/cloud-ledger.ts';
import type {CloudLedger} from '../../../src/cluster/cloud/ledger-state.ts';
import type {Json, JsonObject} from '../../../src/cluster/json.ts';
import {initialWorld} from '../../../src/cluster/kernel/draft.ts';
import {armCrash} from '../../../src/cluster/kernel/step.ts';
import {type Definition, defaultLatency, type World} from '../../../src/cluster/kernel/world.ts';
import {conditionOf, type KubeObject, type ResourceRef, refOf} from '../../../src/cluster/object.ts';
import type {CrashPointName} from '../../../src/cluster/provider/external-client.ts';
import type {ManagedKind} from '../../../src/cluster/provider/managed-kind.ts';
import {type ManagedProviderOptions, managedProvider} from '../../../src/cluster/provider/managed-provider.ts';
import {openSession} from '../../../src/harness/control-plane/session.ts';
import {driveHere} from '../../../src/harness/functions/drive.ts';
import {startMs} from './driver.ts';

// A whole world of one provider and one cloud, for stories in which time passes and processes die.

export interface WorldOptions extends Partial<Omit<ManagedProviderOptions, 'kinds'>> {
  readonly kinds: readonly ManagedKind[];
  readonly namespaced?: boolean;
  readonly cloud?: Partial<CloudConfig>;
}

const providerName = 'provider-aws';

export function openWorld({kinds, namespaced = false, cloud = {}, ...options}: WorldOptions) {
  const process = managedProvider({name: providerName, kinds, pollMs: 3000, creationGraceMs: 3000, ...options});
  const definition: Definition = {
    processes: [process as unknown as Definition['processes'][number]],
    cloud: cloudModel({...defaultConfig, ...cloud}) as unknown as NonNullable<Definition['cloud']>,
    functions: {},
    latency: defaultLatency,
  };
  const session = openSession(definition, {...initialWorld(definition, 1), nowMs: startMs});
  const must = (request: ApiRequest) => {
    const response = session.submit('user', request);
    if (!response.ok) throw new Error(response.message);
    return response;
  };
  for (const kind of kinds) must({verb: 'create', object: crdOf(kind, namespaced), manager: 'user'});
  const ledger = () => session.world.cloud as CloudLedger;
  const get = (ref: ResourceRef): KubeObject | undefined => {
    const response = session.submit('user', {verb: 'get', ref});
    return response.ok ? response.object : undefined;
  };
  return {
    start: (crash?: CrashPointName) => {
      if (crash !== undefined) session.change((world: World) => armCrash(world, {process: providerName, point: crash}));
      session.start(providerName);
    },
    kill: () => session.kill(providerName, 'killed by the test'),
    isRunning: () => session.world.processes.has(providerName),
    create: (object: KubeObject) => must({verb: 'create', object, manager: 'user'}),
    delete: (object: KubeObject) => must({verb: 'delete', ref: refOf(object)}),
    patch: (object: KubeObject, body: JsonObject) =>
      must({verb: 'patch', type: 'merge', ref: refOf(object), body, manager: 'user'}),
    annotate: (object: KubeObject, name: string, value: Json) =>
      must({
        verb: 'patch',
        type: 'merge',
        ref: refOf(object),
        body: {metadata: {annotations: {[`crossplane.io/${name}`]: value}}},
        manager: 'user',
      }),
    run: (seconds: number) => driveHere(session.run(session.nowMs + seconds * 1000)),
    get,
    /** `Ready=True/Available` and the like, sorted. */
    conditions: (object: KubeObject) =>
      ['Ready', 'Synced'].map((type) => {
        const condition = conditionOf(get(refOf(object)), type);
        return condition === undefined ? `${type} unset` : `${type}=${condition.status}/${condition.reason}`;
      }),
    counters: () => countersAt(ledger(), session.nowMs),
    alive: () => aliveExternals(ledger(), session.nowMs).map(({id}) => id),
  };
}

/** A CustomResourceDefinition that keeps every field; managementPolicies and deletionPolicy default as real ones do. */
function crdOf({apiVersion, kind, legacy}: ManagedKind, namespaced: boolean): KubeObject {
  const [group = '', version = ''] = apiVersion.split('/');
  const plural = `${kind.toLowerCase()}s`;
  const spec: JsonObject = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: {
      managementPolicies: {type: 'array', items: {type: 'string'}, default: ['*']},
      ...(legacy ? {deletionPolicy: {type: 'string', default: 'Delete'}} : {}),
    },
  };
  const status: JsonObject = {type: 'object', 'x-kubernetes-preserve-unknown-fields': true};
  const openAPIV3Schema = {type: 'object', properties: {spec, status}};
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.${group}`},
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: {kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase()},
      versions: [{name: version, served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema}}],
    },
  };
}
