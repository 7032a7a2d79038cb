import type {KubeObject} from '../../cluster/object.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario} from './scenario.ts';

/** Those that the Compositions call which the scenario has or applies, each once. */
export function calledFunctionNames(scenario: Scenario): readonly string[] {
  return [...new Set(everythingApplied(scenario).flatMap(pipelineFunctions))];
}

/** Fixtures, and what steps apply. */
export function everythingApplied({fixtures, steps}: Scenario): readonly KubeObject[] {
  return [...fixtures, ...steps.flatMap(appliedBy)];
}
