import {profiles as known, type ProfileName} from '../../cluster/crossplane/profiles.ts';
import {asOneOf, asString, type Cursor, fail, pathText} from '../input/cursor.ts';
import {byShape, type Form, list, named, to, wordOr} from '../input/form.ts';
import {InputError, shown} from '../input/input-error.ts';

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
  asString(cursor);
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
  throw new InputError('', `unknown Crossplane version ${shown(name)}: known are ${names.join(', ')}`);
}
