import {at, type Json} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {nearest} from '../input/cursor.ts';
import {InputError} from '../input/input-error.ts';
import type {Expectation, Scenario, Step} from './scenario.ts';

// A misspelled kind must never pass as `absent`. Which kinds a story can know is written in its files: the platform's
// own, those of its CustomResourceDefinitions, and what its CompositeResourceDefinitions define.

const platformKinds = [
  'Namespace',
  'Secret',
  'ConfigMap',
  'CustomResourceDefinition',
  'CompositeResourceDefinition',
  'Composition',
  'CompositionRevision',
  'Function',
  'FunctionRevision',
  'Provider',
  'ProviderConfig',
  'ClusterProviderConfig',
  'Configuration',
  'Usage',
  'ClusterUsage',
];

/** Throws InputError at the first place that names a kind nobody defines. */
export function checkKinds(scenario: Scenario, file: string): void {
  const applied = [...scenario.fixtures, ...scenario.steps.flatMap(appliedBy)];
  const known = new Set([...platformKinds, ...applied.flatMap(definedBy)]);
  const check = (kind: string, place: string): void => {
    if (known.has(kind)) return;
    const near = nearest(kind, [...known]);
    const advice = near === undefined ? `known are ${[...known].sort().join(', ')}` : `did you mean "${near}"?`;
    throw new InputError(place, `unknown kind "${kind}": ${advice}`);
  };
  for (const {kind, metadata} of scenario.fixtures) check(kind, `${file}: fixture ${kind} "${metadata.name}"`);
  for (const step of scenario.steps) for (const kind of kindsNamedBy(step)) check(kind, step.place);
  const expectations = [...scenario.steps.flatMap(expectationsOf), ...scenario.variants.flatMap(({expect}) => expect)];
  for (const {what, place} of expectations) if ('target' in what) check(what.target.kind, place);
}

function appliedBy({action}: Step): readonly KubeObject[] {
  return action?.kind === 'apply' || action?.kind === 'create' ? action.objects : [];
}

function definedBy({kind, spec}: KubeObject): readonly string[] {
  const names: readonly (Json | undefined)[] =
    kind === 'CustomResourceDefinition' || kind === 'CompositeResourceDefinition'
      ? [at(spec, ['names', 'kind']), at(spec, ['claimNames', 'kind'])]
      : [];
  return names.filter((name): name is string => typeof name === 'string');
}

function kindsNamedBy(step: Step): readonly string[] {
  const {action} = step;
  switch (action?.kind) {
    case 'apply':
    case 'create':
      return action.objects.map((object) => object.kind);
    case 'patch':
    case 'delete':
      return [action.target.kind];
    case 'backup':
    case 'wipe':
      return action.kinds;
    default:
      return [];
  }
}

export function expectationsOf({wait, expect}: Step): readonly Expectation[] {
  return wait?.kind === 'until' ? [wait.expect, ...expect] : expect;
}
