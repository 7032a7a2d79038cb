// Globs as shells and Git know them: `*` and `?` within a name, `[a-z]`, `{a,b}`, and `**` for any number of folders.
// Node has its own from version 24 on; the package runs on 22, too.
//
// The time for a name grows with its length, not with the stars of the glob: RE2 matches names and never goes back. A folder is
// walked once, with every place in the glob that fits it.

import {RE2JS} from '@bufbuild/re2';
import {InputError} from '../input-error.ts';

export function isGlob(name: string): boolean {
  return /[*?[{]/.test(name);
}

export interface Glob {
  /** The folder before the first segment with a star; '' for none. */
  readonly base: string;
  readonly segments: readonly Segment[];
}

type Segment = '**' | {readonly source: string; readonly pattern: RE2JS};

/** Segments of the glob that come next, by their number, in a folder or for a name in it. */
export type Places = readonly number[];

export function parseGlob(glob: string): Glob {
  const parts = glob.split('/');
  const first = parts.findIndex(isGlob);
  const base = parts.slice(0, first).join('/');
  const segments = parts.slice(first).filter((part, index, all) => {
    return part !== '' && part !== '.' && (part !== '**' || all[index - 1] !== '**');
  });
  return {
    base: base === '' && glob.startsWith('/') ? '/' : base,
    segments: segments.map((part) => segmentOf(part, glob)),
  };
}

/** Where `entry` leads from `places`; empty where it does not match. */
export function placesBelow({segments}: Glob, places: Places, entry: string): Places {
  const next = new Set<number>();
  for (const place of reached(segments, places)) {
    const segment = segments[place];
    if (segment === undefined) continue;
    if (segment === '**') {
      if (!isPassedOver(entry)) next.add(place);
    } else if (names(segment, entry)) next.add(place + 1);
  }
  return [...next];
}

/** True if the file at the end of these places matches the whole glob. */
export function isWhole({segments}: Glob, places: Places): boolean {
  return places.some(
    (place) => place === segments.length || (segments[place] === '**' && place === segments.length - 1),
  );
}

/** True if the glob can match below the folder at the end of these places. */
export function leadsOn({segments}: Glob, places: Places): boolean {
  return places.some((place) => place < segments.length);
}

/** Names that stars do not stand for. */
export function isPassedOver(entry: string): boolean {
  return entry.startsWith('.') || entry === 'node_modules';
}

/** `**` may stand for no folder, too. */
function reached(segments: readonly Segment[], places: Places): Places {
  return [...new Set(places.flatMap((place) => (segments[place] === '**' ? [place, place + 1] : [place])))];
}

function names({source, pattern}: Exclude<Segment, '**'>, entry: string): boolean {
  const isNamed = entry === 'node_modules' ? source === entry : source.startsWith('.');
  return (isNamed || !isPassedOver(entry)) && pattern.testExact(entry);
}

function segmentOf(part: string, glob: string): Segment {
  if (part === '**') return '**';
  try {
    return {source: part, pattern: RE2JS.compile(patternOf(part))};
  } catch {
    throw new InputError(`glob "${glob}" must be one, got "${part}", which matches nothing`);
  }
}

/** As RE2 writes it. */
function patternOf(part: string): string {
  let pattern = '';
  let depth = 0;
  for (let at = 0; at < part.length; at++) {
    const char = part[at] ?? '';
    const set = char === '[' ? /^\[([!^]?)([^\]]+)\]/.exec(part.slice(at)) : null;
    if (set !== null) {
      const [whole, not = '', chars = ''] = set;
      pattern += `[${not === '' ? '' : '^'}${chars.replaceAll(/[\\[\]^]/g, '\\$&')}]`;
      at += whole.length - 1;
    } else if (char === '*') pattern += part[at + 1] === '*' ? '' : '[^/]*';
    else if (char === '?') pattern += '[^/]';
    else if (char === '{' && part.indexOf('}', at) > 0) {
      pattern += '(?:';
      depth++;
    } else if (char === '}' && depth > 0) {
      pattern += ')';
      depth--;
    } else if (char === ',' && depth > 0) pattern += '|';
    else pattern += char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  }
  return pattern + ')'.repeat(depth);
}
