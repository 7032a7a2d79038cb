// A scenario as the program has it: what its forms read. Every file it names is read before anything runs, so that bad
// input stops it before the first step.

import type {Read} from '../input/form.ts';
import type {expectation} from './expectation-form.ts';
import type {explore, scenarioForm, variant} from './scenario-form.ts';
import type {actors, faultKinds, stepForm} from './step-form.ts';

type Whole = Read<ReturnType<typeof scenarioForm>>;

export interface Scenario extends Omit<Whole, 'expect' | 'variants'> {
  /** Where the scenario file lies; commands of functions run there. */
  readonly folder: string;
  /** Each with what must hold in all of them. A scenario without variants has one, with no name. */
  readonly variants: readonly Variant[];
  /** Notes on the fixtures: objects passed over, and kinds that are not modelled. A sentence each. */
  readonly notes?: readonly string[];
}

export type Variant = Read<typeof variant>;
export type Bug = NonNullable<Whole['bug']>;
export type Happens = NonNullable<Variant['happens']>;
export type ExploreSetting = Read<typeof explore>;
export type StatedProperty = ExploreSetting['properties'][number];

export type Step = Read<ReturnType<typeof stepForm>>;
export type StepFault = NonNullable<Step['faults']>[number];
export type Wait = NonNullable<Step['wait']>;
export type Actor = (typeof actors)[number];
export type FaultKind = (typeof faultKinds)[number];

export type Expectation = Read<typeof expectation>;
export type Expected = Expectation['what'];
/** Both ends included. */
export type Range = Extract<Expected, {readonly kind: 'orphans'}>['range'];
