// Go templates in xprin files. xprin fills them in before it reads the YAML, so they may stand where YAML allows no
// braces. crossplane-contrib/xprin b4294cc docs/testsuite-specification.md (Template Variables).

import {InputError} from '../input/input-error.ts';

const outputs = /\{\{-?\s*\.Tests\.([A-Za-z0-9_-]+)\.Outputs\.(XR|Render)\s*-?\}\}/g;
const rendered = /\{\{-?\s*index\s+\.Tests\.([A-Za-z0-9_-]+)\.Outputs\.Rendered\s+"([^"]+)"\s*-?\}\}/g;
const prefix = 'tether-output:';

/** The text with outputs of other tests as plain words, of the same length where that is possible, so places stay. */
export function withoutTemplates(text: string, file: string): string {
  refuseRepositories(text, file);
  return text
    .replace(outputs, (whole, id: string, what: string) => `${prefix}${id}:${what}`.padEnd(whole.length))
    .replace(rendered, (whole, id: string, name: string) => `${prefix}${id}:${name}`.padEnd(whole.length));
}

function refuseRepositories(text: string, file: string): void {
  for (const [index, line] of text.split('\n').entries()) {
    const match = /^[^#]*?\{\{-?\s*\.Repositories\.([A-Za-z0-9_-]+)/.exec(line);
    if (match === null) continue;
    const column = line.indexOf('{{') + 1;
    const problem = `repository "${match[1]}" is named in xprin's own configuration, which is not read: write its path instead`;
    throw new InputError(problem, {place: `${file}:${index + 1}:${column}`});
  }
}

export interface OutputReference {
  readonly id: string;
  /** `XR`, `Render`, or `Kind/name`. */
  readonly what: string;
}

/** Which output of which test a path stands for; undefined for a path. */
export function outputReference(path: string): OutputReference | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const [id = '', what = ''] = path.trim().slice(prefix.length).split(':');
  return {id, what};
}
