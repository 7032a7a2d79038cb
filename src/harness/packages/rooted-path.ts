// Where a path of an image is on this disk: below the folder that holds its root, whatever links lie on the way. An
// absolute link leads on from the root, as it would inside of a container. One that leads out of the root is refused.

import {lstatSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {InputError, shownValue} from '../input/input-error.ts';

const linksMax = 40;

/** The parts of a path as an archive names it. Throws InputError where it leads out of the root. */
export function partsOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || path.includes('\0')) throw leadsOut(path);
  return parts;
}

/** The place of `parts`, with every link on the way followed, also the last. A missing file has the place that it would have. */
export function placeIn(root: string, parts: readonly string[]): string {
  const ahead = [...parts];
  const behind: string[] = [];
  let links = 0;
  for (let part = ahead.shift(); part !== undefined; part = ahead.shift()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (behind.pop() === undefined) throw leadsOut(parts.join('/'));
      continue;
    }
    const target = linkAt(join(root, ...behind, part));
    if (target === undefined) {
      behind.push(part);
      continue;
    }
    links += 1;
    if (links > linksMax) throw new InputError(`cannot follow ${shownValue(parts.join('/'))}: its links have no end`);
    if (target.startsWith('/')) behind.length = 0;
    ahead.unshift(...target.split('/'));
  }
  return join(root, ...behind);
}

function linkAt(file: string): string | undefined {
  const isLink = lstatSync(file, {throwIfNoEntry: false})?.isSymbolicLink() === true;
  return isLink ? readlinkSync(file) : undefined;
}

function leadsOut(path: string): InputError {
  return new InputError(`cannot use path ${shownValue(path)}: it leads out of the image`);
}
