// The variants of a scenario that a person names by a part of the name.

import {InputError} from '../harness/input/input-error.ts';
import type {Scenario} from '../harness/scenario/scenario.ts';

/** Those whose name contains `name`, all if it is undefined. Throws InputError if there is none. */
export function variantsNamed({variants}: Pick<Scenario, 'variants'>, name: string | undefined): Scenario['variants'] {
  const found = name === undefined ? variants : variants.filter((variant) => variant.name.includes(name));
  if (found.length > 0) return found;
  const known = variants.map((variant) => variant.name).join(', ') || 'none';
  throw new InputError(`no variant is named "${name}": known are ${known}`);
}
