// The names of Crossplane versions: those that can be chosen, and those in between, which are refused.

import {profiles as known, type ProfileName} from '../../cluster/crossplane/profiles.ts';
import {asOneOf, asString, type Cursor, fail, pathText} from '../input/cursor.ts';
import {byShape, type Form, list, named, to, wordOr} from '../input/form.ts';
import {InputError, shownValue} from '../input/input-error.ts';

/** The Crossplane versions the simulated world can be, oldest first. */
const names = Object.keys(known) as readonly ProfileName[];

export const profile: Form<ProfileName> = {read: readProfile, schema: () => ({enum: names})};

/** YAML reads 1.20 as a number, so versions must be quoted. */
function readProfile(cursor: Cursor): ProfileName {
  if (typeof cursor.value === 'number') {
    fail(
      cursor,
      `${pathText(cursor)} must be a version in quotes such as "1.20": without them YAML reads a number, got ${cursor.value}`,
    );
  }
  const gap = unmodelledVersion(asString(cursor));
  if (gap !== undefined) fail(cursor, `${pathText(cursor)}: ${gap}`);
  return asOneOf(cursor, names);
}

/** One version or a list of them; `all` means every one. */
export const profiles: Form<readonly string[], ProfileName | 'all' | readonly ProfileName[]> = named(
  'Versions',
  byShape({
    scalar: wordOr(
      'all',
      names,
      to(profile, (one) => [one]),
    ),
    list: list(profile),
  }),
  'One Crossplane version, a list of them, or `all`. In quotes: YAML reads 1.20 as 1.2.',
);

/** A version named on the command line. */
export function profileNamed(name: string): ProfileName {
  const found = names.find((one) => one === name);
  if (found !== undefined) return found;
  const gap = unmodelledVersion(name);
  if (gap !== undefined) throw new InputError(gap);
  throw new InputError(`unknown Crossplane version ${shownValue(name)}: known are ${names.join(', ')}`);
}

/** Versions that can be installed and are not modelled, with the modelled ones before and after them. */
const gaps: {readonly [version: string]: readonly [ProfileName, ProfileName]} = {
  '1.17': ['1.16', '1.19'],
  '1.18': ['1.16', '1.19'],
  '2.0': ['1.20', '2.3'],
  '2.1': ['1.20', '2.3'],
  '2.2': ['1.20', '2.3'],
};

/**
 * Why a version between two modelled ones is refused; undefined for any other word. Run as a neighbour, a platform could
 * pass by a behaviour that its own version lacks.
 */
export function unmodelledVersion(name: string): string | undefined {
  const [, version = ''] = /^v?(\d+\.\d+)(?:\.|$)/.exec(name) ?? [];
  const around = gaps[version];
  if (around === undefined) return undefined;
  return `Crossplane ${shownValue(name)} is not modelled: the nearest versions that are, before and after it, are ${around.join(' and ')}`;
}
