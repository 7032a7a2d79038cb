import type {KindDefinition} from '../../cluster/api/kinds.ts';
import {discover, installKind} from '../../cluster/api/server.ts';
import {crdFinalizer} from '../../cluster/api-controllers/crd-finalizer.ts';
import {namespaceController} from '../../cluster/api-controllers/namespace-controller.ts';
import {crossplane, processCrossplane} from '../../cluster/crossplane/crossplane.ts';
import {crossplaneKinds} from '../../cluster/crossplane/kinds/crossplane-kinds.ts';
import {installedFunction} from '../../cluster/crossplane/kinds/function-kinds.ts';
import type {Profile} from '../../cluster/crossplane/profile.ts';
import {usageAdmission} from '../../cluster/crossplane/usage-admission.ts';
import {usageKinds} from '../../cluster/crossplane/usage-kinds.ts';
import type {CloudModel} from '../../cluster/kernel/cloud.ts';
import {initialWorld} from '../../cluster/kernel/draft.ts';
import type {Process} from '../../cluster/kernel/process.ts';
import {advanceClock} from '../../cluster/kernel/step.ts';
import type {Definition, Latency, World} from '../../cluster/kernel/world.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {ownerGc} from '../../cluster/owner-gc/owner-gc.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {type Catalogue, catalogueOf} from './catalogue.ts';
import {type Happening, openSession, type Session} from './session.ts';

// A whole control plane, ready for a story: API server with Crossplane's kinds, Crossplane, the owner GC, the API
// server's own controllers, one provider, functions installed and healthy. Nothing of the story is in it yet.

export interface LaboratoryOptions {
  readonly profile: Profile;
  /** Realtime compositions, where the version leaves it open. */
  readonly realtime?: boolean;
  readonly seed: number;
  /** Every function the story's Compositions may name. One that is not in process is asked for through the session. */
  readonly functions: {readonly [name: string]: InProcessFunction | 'remote'};
  readonly provider: Process<never>;
  readonly cloud?: CloudModel<never>;
  readonly latency?: Latency;
  readonly observe?: (happening: Happening) => void;
}

export interface Laboratory {
  readonly session: Session;
  readonly catalogue: Catalogue;
  readonly definition: Definition;
  /** The names of the processes, as `start` and `stop` take them. */
  readonly processes: {readonly crossplane: string; readonly ownerGc: string; readonly provider: string};
  /** Restarts Crossplane as another version, with the kinds that version brings. */
  upgrade(profile: Profile): void;
}

/**
 * How long things take on the recorded control planes, about; drawn anew for every seed. A watch event is told in the
 * moment of the write: on a real control plane the event and the writer's own answer leave together, so a reconciler
 * that reads its cache after a write nearly always sees it. With the event later it would see its own status flap.
 */
export const recordedLatency: Latency = {apiMs: 4, watchMs: 0, functionMs: 6, startMs: 4, jitter: 0.5};

/** Stories begin here: objects should carry times that people read as times. */
const startMs = Date.UTC(2026, 0, 1);

export function openLaboratory(options: LaboratoryOptions): Laboratory {
  const {profile, seed} = options;
  const kinds = kindsOf(profile);
  const definition = definitionOf(options, profile);
  const processes = {
    crossplane: processCrossplane,
    ownerGc: 'kube-controller-manager',
    provider: options.provider.name,
  };
  const world = withKinds(initialWorld(definition, seed), kinds);
  const session = openSession(
    definition,
    advanceClock(world, startMs),
    options.observe === undefined ? {} : {observe: options.observe},
  );
  for (const name of Object.keys(options.functions)) installFunction(session, name, profile);
  for (const process of definition.processes) session.start(process.name);
  return {
    session,
    catalogue: catalogueOf(session, () => discover(session.world.server)),
    definition,
    processes,
    upgrade: (next) => {
      session.stop(processes.crossplane);
      session.change((world) => withKinds(world, kindsOf(next)));
      session.redefine(definitionOf(options, next));
      session.start(processes.crossplane);
    },
  };
}

function kindsOf(profile: Profile): readonly KindDefinition[] {
  return [...crossplaneKinds(profile), ...usageKinds(profile.usages)];
}

function definitionOf(options: LaboratoryOptions, profile: Profile): Definition {
  const kinds = kindsOf(profile);
  const engine = crossplane({profile, ...(options.realtime === undefined ? {} : {realtime: options.realtime})});
  return {
    processes: [
      engine,
      ownerGc(kinds),
      crdFinalizer,
      namespaceController(kinds),
      options.provider,
    ] as readonly Process<never>[],
    ...(options.cloud === undefined ? {} : {cloud: options.cloud}),
    functions: inProcess(options.functions),
    admission: (world) => usageAdmission(profile.usages, world.processes.has(engine.name)),
    latency: options.latency ?? recordedLatency,
  };
}

function inProcess(functions: LaboratoryOptions['functions']): {readonly [name: string]: InProcessFunction} {
  const here = Object.entries(functions).filter((entry): entry is [string, InProcessFunction] => entry[1] !== 'remote');
  return Object.fromEntries(here);
}

function withKinds(world: World, kinds: readonly KindDefinition[]): World {
  return {...world, server: kinds.reduce(installKind, world.server)};
}

/** The objects of an installed package; the target of a function is its name. */
function installFunction(session: Session, name: string, profile: Profile): void {
  for (const object of installedFunction(name, name, profile)) {
    submitted(session, object);
    const ref = {apiVersion: object.apiVersion, kind: object.kind, name: object.metadata.name};
    const status = {status: object.status ?? {}};
    session.submit('package manager', {
      verb: 'patch',
      type: 'merge',
      ref,
      body: status,
      manager: 'crossplane',
      subresource: 'status',
    });
  }
}

function submitted(session: Session, object: KubeObject): void {
  const response = session.submit('package manager', {verb: 'create', object, manager: 'crossplane'});
  if (!response.ok) throw new Error(`cannot install ${object.kind} "${object.metadata.name}": ${response.message}`);
}
