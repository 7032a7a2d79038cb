// Globs as shells and Git know them: `*` and `?` within a name, `[a-z]`, `{a,b}`, and `**` for any number of folders.
// Node has its own from version 24 on; the package runs on 22, too.

import {InputError} from '../input/input-error.ts';

export function isGlob(name: string): boolean {
  return /[*?[{]/.test(name);
}

export interface Glob {
  /** The folder before the first segment with a star; '' for none. */
  readonly base: string;
  readonly segments: readonly (RegExp | '**')[];
}

export function segmentsOf(glob: string): Glob {
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

function segmentOf(part: string, glob: string): RegExp | '**' {
  if (part === '**') return '**';
  try {
    return new RegExp(`^${patternOf(part)}$`, 'u');
  } catch {
    throw new InputError('', `glob "${glob}" must be one, got "${part}", which matches nothing`);
  }
}

/** Stars beside one another count as one, or a name could take long to match. */
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
