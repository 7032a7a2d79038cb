// Text that YAML takes and kubectl does not. kubectl divides a file at every line that begins with `---`, takes nothing but a comment
// behind it, and reads the first document of each part alone. Before 1.33 it takes a file that begins with `{` for JSON to its end;
// since then parts of JSON and of YAML may follow each other, and both are read here if the first is JSON. Source:
// kubernetes/apimachinery v0.32.4 and v0.33.0 pkg/util/yaml/decoder.go YAMLOrJSONDecoder and YAMLReader; seen with kubectl 1.32.4.
// Flux and Argo CD divide files in the same way.

import {InputError} from './input-error.ts';
import {jsonDocuments} from './json-documents.ts';
import {withContinuedLinesIndented} from './quoted-lines.ts';

/** Throws InputError at the first place that kubectl refuses, or passes over without a word. */
export function refuseAsKubectl(text: string, file: string): void {
  if (/^\s*\{/.test(text)) return refuseFlow(text, file);
  // Before a comment and in an empty line, too; within quotes and brackets it takes them.
  const tab = /^\t/m.test(text)
    ? withContinuedLinesIndented(text)
        .split('\n')
        .findIndex((line) => line[0] === '\t')
    : -1;
  if (tab >= 0) throw new InputError('kubectl takes no line that begins with a tab', {place: `${file}:${tab + 1}:1`});
  // Most files have none of these lines, and some are large.
  if (!/^(?:%|\.\.\.\s*$|---[^\S\n]*[^\s#])/m.test(text)) return;
  let [isBegin, hasEnded] = [true, false];
  for (const [index, line] of text.split('\n').entries()) {
    const refuse = (column: number, why: string): never => {
      throw new InputError(`kubectl ${why}`, {place: `${file}:${index + 1}:${column}`});
    };
    if (line.startsWith('---')) {
      const behind = line.slice(3).trim();
      if (behind !== '' && !behind.startsWith('#')) refuse(4, 'takes nothing but a comment behind ---');
      [isBegin, hasEnded] = [true, false];
    } else if (/^\.\.\.\s*$/.test(line)) hasEnded = true;
    else if (/\S/.test(line) && !/^\s*#/.test(line)) {
      if (line.startsWith('%')) {
        if (isBegin) refuse(1, 'takes no directive such as %YAML');
      } else if (hasEnded) refuse(1, 'reads nothing between ... and the next ---');
      isBegin = false;
    }
  }
}

function refuseFlow(text: string, file: string): void {
  const isJson = (one: string) => {
    try {
      JSON.parse(one);
      return true;
    } catch {
      return false;
    }
  };
  const [first = ''] = text.split(/^---/m);
  if (isJson(first) || jsonDocuments(first).some(isJson)) return;
  throw new InputError('kubectl before 1.33 takes a file that begins with { for JSON, which it is not', {
    place: `${file}:1:1`,
  });
}
