// Providers as packages: a process that runs others, one for each Deployment of a package that has pods. A provider starts with its
// pods. It loses its memory when they go, whether an upgrade or the owner GC deletes the Deployment.
//
// kubernetes/kubernetes v1.34 pkg/kubelet/kuberuntime/kuberuntime_container.go. Modelled: the pods of a Deployment that is
// available, and the second until those of one that is gone have stopped, in which a provider does what it can. Not modelled: pods
// that fail, two at once while a Deployment rolls, the thirty seconds of grace of a reconcile under way. A provider runs the same
// controllers whatever it knows; one that does not cannot be hosted here.

import {at, type JsonObject} from '../json.ts';
import {type Call, cached, memory, now, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {type Controller, keyOf, type Process, parseKey, type Watch} from '../kernel/process.ts';
import {remembering} from '../memo.ts';
import type {KubeObject} from '../object.ts';

/** How long the pods of a Deployment run on when it is gone. */
const stopMs = 1000;

interface Pod {
  readonly image: string;
  /** The number of this start: work under way ends with the pod that began it. */
  readonly run: number;
}

/** The running pods, by `namespace/name` of their Deployment. */
type Pods = {readonly [name: string]: Pod};

interface PodsMemory {
  readonly pods: Pods;
  readonly runs: number;
  /** The memory of each provider. */
  readonly known: {readonly [pod: string]: unknown};
}

/** Each provider by the image that it is. */
type Programs = {readonly [image: string]: Process<unknown>};

export interface ProviderPodsOptions {
  /** The provider of what no package has: it is always there. */
  readonly always: Process<never>;
  /** The providers by the image of their package. */
  readonly packaged: {readonly [image: string]: Process<never>};
  /** Where Deployments of packages are. */
  readonly namespace: string;
}

const alwaysRuns = '';

/** A process by the name of `always`. */
export function providerPods({always, packaged, namespace}: ProviderPodsOptions): Process<PodsMemory> {
  const programs = {...packaged, [alwaysRuns]: always} as unknown as Programs;
  const running = remembering((current: Pods): Hosted => all(current, programs, namespace));
  const pods: Pods = {[alwaysRuns]: {image: alwaysRuns, run: 0}};
  return {
    name: always.name,
    start: (nowMs) => ({pods, runs: 0, known: {[alwaysRuns]: programs[alwaysRuns]?.start(nowMs)}}),
    controllers: (current) => running(current.pods).controllers,
    watches: (current) => running(current.pods).watches,
    ...(always.workQueue === undefined ? {} : {workQueue: always.workQueue}),
    routines: routinesOf(programs),
  };
}

interface Hosted {
  readonly controllers: readonly Controller[];
  readonly watches: readonly Watch<PodsMemory>[];
}

function all(pods: Pods, programs: Programs, namespace: string): Hosted {
  const running = Object.entries(pods).flatMap(([name, {image, run}]) => {
    const program = programs[image];
    return program === undefined ? [] : [hosted({name, image, run}, program)];
  });
  return {
    controllers: [podController(programs), ...running.flatMap(({controllers}) => controllers)],
    watches: [watchDeployments(namespace), ...running.flatMap(({watches}) => watches)],
  };
}

function hosted(place: Place, program: Process<unknown>): Hosted {
  const {name} = place;
  const initial = program.start(0);
  return {
    controllers: program.controllers(initial).map((controller) => ({
      ...controller,
      name: namedIn(name, controller.name),
      reconcile: (key) => within(place, controller.reconcile(key), gone),
    })),
    watches: program.watches(initial).map((watch) => ({
      ...watch,
      controller: namedIn(name, watch.controller),
      handle: (event, context) => {
        const {known} = context.memory;
        const {keys, memory: next} = watch.handle(event, {...context, memory: known[name]});
        return next === undefined ? {keys} : {keys, memory: {...context.memory, known: {...known, [name]: next}}};
      },
    })),
  };
}

function namedIn(pod: string, name: string): string {
  return pod === alwaysRuns ? name : `${name} in ${pod}`;
}

interface Place extends Pod {
  readonly name: string;
}

const gone: Outcome = {kind: 'done'};

/** Runs the body as a part of the pod's provider; it ends where it is when the pod does. */
function* within<T>(place: Place, body: Generator<Call, T, unknown>, ended: T): Generator<Call, T, unknown> {
  let reply: unknown;
  for (;;) {
    const next = body.next(reply);
    if (next.done === true) return next.value;
    const call = next.value;
    const answer = yield called(call, place);
    const {pods, known} = yield* memory((current: PodsMemory) => current);
    if (pods[place.name]?.run !== place.run) return ended;
    reply = call.to === 'memory' ? known[place.name] : answer;
  }
}

/** The call of a provider as this process makes it. */
function called(call: Call, {name, image, run}: Place): Call {
  switch (call.to) {
    case 'memory':
      return {to: 'memory', change: (current) => changed(current as PodsMemory, name, call.change)};
    case 'enqueue':
      return {...call, controller: namedIn(name, call.controller)};
    case 'spawn':
      return {...call, routine: `${call.routine} of ${image}`, input: {name, run, input: call.input}};
    default:
      return call;
  }
}

function changed(current: PodsMemory, pod: string, change: (memory: unknown) => unknown): PodsMemory {
  const before = current.known[pod];
  const after = change(before);
  return after === before ? current : {...current, known: {...current.known, [pod]: after}};
}

function routinesOf(programs: Programs): NonNullable<Process['routines']> {
  const named = Object.entries(programs).flatMap(([image, {routines = {}}]) =>
    Object.entries(routines).map(([routine, body]) => {
      const begin = ({name, run, input}: JsonObject): Step<void> =>
        within({name: String(name), image, run: Number(run)}, body(input as JsonObject), undefined);
      return [`${routine} of ${image}`, begin] as const;
    }),
  );
  return Object.fromEntries(named);
}

const deployments = {apiVersion: 'apps/v1', kind: 'Deployment'};
const podsController = 'pods';

function watchDeployments(namespace: string): Watch<PodsMemory> {
  return {
    ...deployments,
    controller: podsController,
    id: 'deployments',
    handle: ({type, object}) => {
      if (object.metadata.namespace !== namespace) return {keys: []};
      return {keys: [{key: keyOf(object.metadata), afterMs: type === 'DELETED' ? stopMs : 0}]};
    },
  };
}

function podController(programs: Programs): Controller {
  return {
    name: podsController,
    reconcile: (key) => settle(key, programs),
    backoff: {baseMs: 1000, maxMs: 60_000},
    timeoutMs: 60_000,
  };
}

function* settle(name: string, programs: Programs): Reconcile {
  const read = yield* cached({verb: 'get', ref: {...deployments, ...parseKey(name)}});
  const image = read.ok && read.object !== undefined ? imageOf(read.object) : undefined;
  const nowMs = yield* now();
  yield* memory((current: PodsMemory) => {
    if (current.pods[name]?.image === image) return current;
    const {[name]: _, ...pods} = current.pods;
    const {[name]: __, ...known} = current.known;
    const program = image === undefined ? undefined : programs[image];
    if (image === undefined || program === undefined) return {...current, pods, known};
    const run = current.runs + 1;
    return {pods: {...pods, [name]: {image, run}}, runs: run, known: {...known, [name]: program.start(nowMs)}};
  });
  return gone;
}

/** The image in the Deployment's pods; undefined if it has none. */
function imageOf({spec, status}: KubeObject): string | undefined {
  const image = at(spec, ['template', 'spec', 'containers', 0, 'image']);
  const available = Number(status?.['availableReplicas'] ?? 0);
  return available > 0 && typeof image === 'string' ? image : undefined;
}
