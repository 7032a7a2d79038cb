// The arguments of a test, for people: the types of the library with their meaning. given.ts reads the same, and the compiler
// compares the two.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';

/** The Crossplane versions a world can be. */
export type CrossplaneVersion = ProfileName;

/** A Kubernetes object to apply, or a file, folder or glob with objects, relative to the working directory. */
export type Manifest = string | GivenObject;

interface GivenObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace?: string; readonly [field: string]: unknown};
  readonly [field: string]: unknown;
}

/**
 * A function as bytes: a RunFunctionRequest in, a RunFunctionResponse out, as they would go over the wire. Any SDK can
 * decode and encode them; what it throws becomes the gRPC error that Crossplane would see.
 */
export type RunFunction = (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/**
 * Where a function runs: in this process; at a gRPC address, served without TLS; started by the harness with `command`
 * and reached at `address`, where `{port}` in both is a free port; or one of the harness's own: `function-static`, which
 * composes what its input lists, `passing`, and models that stand in for `function-sequencer` and
 * `function-deletion-protection`.
 */
export type FunctionUnderTest = RunFunction | FunctionElsewhere;

export type FunctionElsewhere =
  | ({readonly address: string} & CallLimit)
  | ({readonly address: string; readonly command: readonly string[]} & CallLimit & StartLimit)
  | {readonly builtin: string};

interface CallLimit {
  /** How long a call may take, in real milliseconds; 10 s where absent. After it the story ends. */
  readonly timeoutMs?: number;
}

interface StartLimit {
  /** How long it may take to answer at its address, in real milliseconds; 20 s where absent. */
  readonly startTimeoutMs?: number;
}

export interface FunctionsUnderTest {
  /** By the names that Compositions call them. */
  readonly [name: string]: FunctionUnderTest;
}

/** How managed resources behave: kinds whose CustomResourceDefinition has the category `managed`. */
export interface ProviderOptions extends Times {
  /** `managed`, unless set: managed reconciler and a cloud with a ledger. `nop`: only finalizer and conditions. */
  readonly kind?: 'managed' | 'nop';
  /** The crossplane-runtime of providers: 2.3 and later unless set; 2.2 stands for all before it. */
  readonly runtime?: '2.2' | '2.3';
  /** Kinds that take another time. */
  readonly kinds?: {readonly [kind: string]: Times};
  /** Kinds whose client works in the background, as upjet's do. */
  readonly async?: readonly string[];
  /** The kinds that fields refer to, if their names do not show it. */
  readonly references?: readonly {readonly field: string; readonly kind: string}[];
  /** By kind, or kind and group. */
  readonly externals?: {readonly [kind: string]: ExternalOptions};
}

interface ExternalOptions {
  /** The cloud's name of the type: kinds of one type lead to the same external resources. */
  readonly type?: string;
  /** The form of its external name around the cloud's `{id}`. */
  readonly name?: string;
  /** Fields of `status.atProvider` as its provider computes them, around the cloud's `{id}`. */
  readonly shows?: {readonly [field: string]: string};
  /** Keys of the connection Secret, around the cloud's `{id}`, for objects that name one. */
  readonly publishes?: {readonly [key: string]: string};
  /** Those that its provider knows only after its create, such as an initial password. */
  readonly publishesOnce?: {readonly [key: string]: string};
  /** Identifiers of those that are in the cloud from the beginning, for managed resources that only observe. */
  readonly exist?: readonly string[];
  /**
   * The side that gives the external name. `author`, unless set: the annotation before the create, else the cloud. `object`:
   * the annotation, else the object's name. `cloud`: the cloud alone, which overwrites the annotation.
   */
  readonly namedBy?: 'author' | 'object' | 'cloud';
}

/** In virtual milliseconds. */
interface Times {
  readonly readyAfterMs?: number;
  readonly deleteAfterMs?: number;
}

export interface WorldOptions {
  /** `main` where absent. */
  readonly crossplane?: CrossplaneVersion;
  /** Realtime compositions, where the version leaves it open. */
  readonly realtime?: boolean;
  /** Watch events arrive late, and circuit breakers open. */
  readonly loaded?: boolean;
  /** Draws latencies and the order of Go maps: the same seed is the same story. 1 where absent. */
  readonly seed?: number;
  /** Every function that the Compositions call. */
  readonly functions: FunctionsUnderTest;
  /** The default time that a function may take to answer, in real milliseconds; 10 s if absent. */
  readonly callTimeoutMs?: number;
  /** Applied in order before anything else: CustomResourceDefinitions, definitions, Compositions. */
  readonly fixtures: readonly Manifest[];
  readonly provider?: ProviderOptions;
}

export interface ScenarioOptions {
  /** The first that the scenario names where absent. */
  readonly crossplane?: CrossplaneVersion;
  /** The variant whose name contains this; the first where absent. */
  readonly variant?: string;
  /** The scenario's own where absent. */
  readonly seed?: number;
  /** These run instead of the scenario's functions of the same names. */
  readonly functions?: FunctionsUnderTest;
}

/** How long to let things happen, in virtual milliseconds. */
export interface Patience {
  /** Nothing may happen for so long; 30 s where absent, longer than every retry of a healthy control plane. */
  readonly quietMs?: number;
  /** Within so long; 30 min where absent. */
  readonly withinMs?: number;
}
