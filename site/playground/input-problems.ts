// Mistakes in an input of function-tether, with their line: the sentence is the function's own, as the XR would show it.

import {isMap, isNode, isSeq, LineCounter, type Node, parseAllDocuments} from 'yaml';
import {invalidInputSentence} from '../../src/function/answer.ts';
import {parseInput} from '../../src/lifecycle/input/parse.ts';
import type {Json} from '../../src/lifecycle/words/json.ts';
import type {Texts} from './workspace.ts';

/** As the editor marks it. */
interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The first mistake in an input of these files. YAML that cannot be read is another reader's to report. */
export function inputProblem(texts: Texts): Problem | undefined {
  for (const [file, text] of Object.entries(texts)) {
    const lines = new LineCounter();
    for (const document of parseAllDocuments(text, {lineCounter: lines})) {
      if (document.errors.length > 0) continue;
      const problem = inputsIn(document.contents).map((input) => problemOf(input, file, lines));
      const [first] = problem.filter((one) => one !== undefined);
      if (first !== undefined) return first;
    }
  }
  return undefined;
}

/** The objects below a node that are inputs of function-tether. */
function inputsIn(node: unknown): readonly Node[] {
  if (isSeq(node)) return node.items.flatMap(inputsIn);
  if (!isMap(node)) return [];
  const isInput = node.get('kind') === 'Input' && String(node.get('apiVersion')).startsWith('tether.fn.crossplane.io/');
  return isInput ? [node] : node.items.flatMap(({value}) => inputsIn(value));
}

function problemOf(input: Node, file: string, lines: LineCounter): Problem | undefined {
  const parsed = parseInput((input as {toJSON(): unknown}).toJSON() as Json);
  if (parsed.kind !== 'invalid-input') return undefined;
  const place = nodeAt(input, parsed.path).range?.[0] ?? 0;
  const {line, col} = lines.linePos(place);
  return {file, line, column: col, message: `${file}:${line}:${col}: ${invalidInputSentence(parsed)}`};
}

/** The deepest node on the way to `path`, as in `usages[0].of`: what is missing has no node of its own. */
function nodeAt(input: Node, path: string): Node {
  let here: Node = input;
  for (const [, index, name] of path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)) {
    const key = index === undefined ? name : Number(index);
    if (!(isMap(here) || isSeq(here))) return here;
    const next: unknown = here.get(key, true);
    if (!isNode(next)) return here;
    here = next;
  }
  return here;
}
