import type {Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Selector} from '../control-plane/catalogue.ts';
import type {FunctionSource} from '../functions/function-source.ts';
import type {GoldenOf} from '../golden/golden-text.ts';
import type {StepAction} from '../operator/action.ts';

// A scenario: a story about one platform API, with what must hold at its end. Read by parse-scenario.ts from YAML; every
// file it names is read before anything runs, so that bad input stops it before the first step.

export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** Where the scenario file lies; commands of functions run there. */
  readonly folder: string;
  /** Crossplane versions it runs on: names of profiles. */
  readonly crossplane: readonly string[];
  readonly realtime?: boolean;
  readonly seed: number;
  /** Applied, in order, before the first step. */
  readonly fixtures: readonly KubeObject[];
  readonly functions: {readonly [name: string]: FunctionSource};
  readonly provider: ProviderSetting;
  readonly steps: readonly Step[];
  /** Steps that `npm run stories` tells in every order; empty for none. */
  readonly anyOrder: readonly string[];
  readonly bug?: Bug;
  readonly explore: ExploreSetting;
  readonly variants: readonly Variant[];
  /** What an author should know of the fixtures: what was passed over, what is not modelled. A sentence each. */
  readonly notes?: readonly string[];
}

/** What `tether explore` does with the story unless it is told otherwise. */
export interface ExploreSetting {
  /** The steps come in their order, or are a menu. */
  readonly moves?: 'any' | 'in-order';
  /** Units by kind of fault or delay. */
  readonly budgets: {readonly [kind: string]: number};
  /** Of virtual time. */
  readonly minutes?: number;
  /** Properties whose name contains one of these are left out. */
  readonly without: readonly string[];
  readonly properties: readonly StatedProperty[];
}

/** A property in the words of the scenario. */
export interface StatedProperty {
  readonly expectation: 'always' | 'sometimes' | 'eventually';
  readonly name: string;
  /** `file:line:column`, for reports. */
  readonly place: string;
  /** CEL over the state of the world; true where it holds. */
  readonly holds: string;
}

/** The same story told with something left out. A scenario without variants has one, with no name. */
export interface Variant {
  readonly name: string;
  /** Functions that answer their input unchanged, as if they were not in the pipeline. */
  readonly without: readonly string[];
  readonly expect: readonly Expectation[];
  /** Where the scenario's bug happens in this variant; undefined where the scenario does not say. */
  readonly happens?: Happens;
}

/** A known bug, told by what an operator would find. */
export interface Bug {
  readonly name: string;
  /** The issues of the world where it was reported. */
  readonly issues: readonly string[];
  /** The step after which it shows; the last one where absent. */
  readonly after?: string;
  /** It happened where all of these hold. */
  readonly signs: readonly Expectation[];
}

/** Names of profiles. On all others it never happens. */
export interface Happens {
  readonly always: readonly string[];
  /** By chance: a race that either side may win. */
  readonly sometimes: readonly string[];
}

/** How managed resources behave: kinds whose CustomResourceDefinition has the category `managed`. */
export interface ProviderSetting {
  /** `managed`: managed reconciler and a cloud with a ledger. `nop`: only finalizer and conditions. */
  readonly kind: 'managed' | 'nop';
  readonly readyAfterMs: number;
  readonly deleteAfterMs: number;
  /** Kinds that take another time. */
  readonly kinds: {readonly [kind: string]: {readonly readyAfterMs?: number; readonly deleteAfterMs?: number}};
  /** Kinds whose client works in the background, as upjet's do. */
  readonly async: readonly string[];
  readonly references: readonly {readonly field: string; readonly kind: string}[];
}

export interface Step {
  readonly name: string;
  /** `file:line:column`, for reports. */
  readonly place: string;
  /** Who acts: the operator (`user`) where absent. */
  readonly by?: Actor;
  readonly action?: StepAction;
  /** Faults of single calls after this step. Only `--twin` tells them. */
  readonly faults?: readonly StepFault[];
  /** So many steps of the world after the step before it, instead of once all is at rest. Only `--twin` tells it. */
  readonly early?: number;
  readonly wait?: Wait;
  readonly expect: readonly Expectation[];
  /** The story goes on after it, whatever came of it. */
  readonly mayFail?: boolean;
}

/**
 * Everybody who is no controller of the control plane: `user` runs the platform, `editor` may write XRs (Crossplane's edit
 * role), `tenant` may write objects of its own in a namespace, `controller` owns a field of what others made.
 */
export const actors = ['user', 'person', 'editor', 'tenant', 'controller'] as const;
export type Actor = (typeof actors)[number];

/** The `at`-th opportunity for the fault after the step, from 0. */
export interface StepFault {
  readonly fault: FaultKind;
  readonly at: number;
}

/** What can go wrong with one call, and what a unit of the explorer's budgets of the same names buys. */
export const faultKinds = [
  'reorder',
  'crash',
  'provider-restart',
  'stale-cache',
  'missed-event',
  'conflict',
  'webhook-down',
  'function-error',
  'function-timeout',
  'function-stale-response',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Wait =
  | {readonly kind: 'time'; readonly ms: number}
  | {readonly kind: 'until'; readonly expect: Expectation; readonly timeoutMs: number}
  /** Until nothing happened for a while. */
  | {readonly kind: 'quiet'; readonly quietMs: number; readonly timeoutMs: number};

export interface Expectation {
  readonly place: string;
  /** Only on these profiles; empty for all. */
  readonly crossplane: readonly string[];
  readonly what: Expected;
}

export type Expected =
  | {readonly kind: 'match'; readonly target: Selector; readonly match: Json}
  | {readonly kind: 'exists' | 'absent' | 'deleting'; readonly target: Selector}
  | {
      readonly kind: 'condition';
      readonly target: Selector;
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }
  | {readonly kind: 'count'; readonly target: Selector; readonly range: Range}
  | {readonly kind: 'orphans'; readonly range: Range}
  /** Objects that will never move again. */
  | {readonly kind: 'stuck'; readonly range: Range}
  /** Every composed resource that lived when the step began, but for these, is the same object still. */
  | {readonly kind: 'untouched'; readonly since: string; readonly except: readonly string[]}
  | {readonly kind: 'externals'; readonly counter: 'alive' | 'creates' | 'deletes'; readonly range: Range}
  /** Entries of the timeline that contain these texts, in this order. */
  | {readonly kind: 'timeline'; readonly texts: readonly string[]}
  | {readonly kind: 'never'; readonly text: string}
  /** A text file says the same; `{variant}` and `{crossplane}` in its name are those of the run. */
  | {readonly kind: 'golden'; readonly file: string; readonly of: GoldenOf};

/** Both ends included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}
