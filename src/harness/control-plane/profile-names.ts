import {type ProfileName, profiles} from '../../cluster/crossplane/profiles.ts';
import {asOneOf, asString, type Cursor, fail, items, pathText} from '../input/cursor.ts';
import {InputError, shown} from '../input/input-error.ts';

/** The Crossplane versions the simulated world can be, oldest first. */
const profileNames = Object.keys(profiles) as readonly ProfileName[];

/** One version or a list of them; `all` means every one. YAML reads 1.20 as a number, so versions must be quoted. */
export function readProfiles(cursor: Cursor): readonly ProfileName[] {
  if (Array.isArray(cursor.value)) return items(cursor).map(readProfile);
  return cursor.value === 'all' ? profileNames : [readProfile(cursor)];
}

export function readProfile(cursor: Cursor): ProfileName {
  if (typeof cursor.value === 'number') {
    fail(
      cursor,
      `${pathText(cursor)} must be a version in quotes such as "1.20": without them YAML reads a number, got ${cursor.value}`,
    );
  }
  asString(cursor);
  return asOneOf(cursor, profileNames);
}

/** A version named on the command line. */
export function profileNamed(name: string): ProfileName {
  const found = profileNames.find((known) => known === name);
  if (found !== undefined) return found;
  throw new InputError('', `unknown Crossplane version ${shown(name)}: known are ${profileNames.join(', ')}`);
}
