// The packages that the Providers of a scenario name, in its fixtures and by its steps, with a check that the scenario has their
// content.

import {at} from '../../cluster/json.ts';
import {groupOf, type KubeObject} from '../../cluster/object.ts';
import {InputError} from '../input/input-error.ts';
import {appliedBy} from './known-names.ts';
import type {Scenario, Step} from './scenario.ts';

interface Named {
  readonly name: string;
  readonly package: string;
  readonly place: string;
}

/** Throws InputError if a Provider names an unknown package, and for a package that no Provider names. */
export function requirePackages({fixtures, packages, provider, steps}: Scenario): void {
  if (packages === undefined) return;
  if (provider.kind === 'nop') {
    throw new InputError('cannot run packages of a provider of kind nop: what they have is for a managed one');
  }
  const named = [...fixtures.flatMap((one) => providersIn(one, '')), ...steps.flatMap(namedBy)];
  for (const {name, package: reference, place} of named) {
    if (Object.hasOwn(packages, reference)) continue;
    throw new InputError(
      `cannot install Provider "${name}" as ${reference}: its content is not given; add "${reference}" to \`packages\``,
      {place},
    );
  }
  for (const reference of Object.keys(packages)) {
    if (named.some((one) => one.package === reference)) continue;
    throw new InputError(`packages["${reference}"] must be a package that a Provider of the scenario names; none does`);
  }
}

/** True for a Provider of Crossplane's, not for a foreign kind of that name. */
export function isProvider({apiVersion, kind}: KubeObject): boolean {
  return kind === 'Provider' && groupOf(apiVersion) === 'pkg.crossplane.io';
}

function namedBy(step: Step): readonly Named[] {
  const {action, place} = step;
  if (action?.kind === 'patch' && action.target.kind === 'Provider') {
    const reference = at(action.body, ['spec', 'package']);
    return typeof reference === 'string' ? [{name: action.target.name ?? '', package: reference, place}] : [];
  }
  return appliedBy(step).flatMap((object) => providersIn(object, place));
}

function providersIn(object: KubeObject, place: string): readonly Named[] {
  const reference = object.spec?.['package'];
  if (!isProvider(object) || typeof reference !== 'string') return [];
  return [{name: object.metadata.name, package: reference, place}];
}
