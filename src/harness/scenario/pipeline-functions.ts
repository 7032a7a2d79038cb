import {isList} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario} from './scenario.ts';

/** The functions that a Composition calls; none for another object. */
export function pipelineFunctions({kind, spec}: KubeObject): readonly string[] {
  const pipeline = kind === 'Composition' ? spec?.['pipeline'] : undefined;
  if (!isList(pipeline)) return [];
  return (pipeline as readonly {functionRef?: {name?: string}}[]).map((step) => step.functionRef?.name ?? '');
}

/** Those of every Composition that the scenario has or applies, each once. */
export function calledFunctionNames(scenario: Scenario): readonly string[] {
  return [...new Set(everythingApplied(scenario).flatMap(pipelineFunctions))];
}

/** Fixtures, and what steps apply. */
export function everythingApplied({fixtures, steps}: Scenario): readonly KubeObject[] {
  return [...fixtures, ...steps.flatMap(appliedBy)];
}
