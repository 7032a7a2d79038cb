// A function that harms: a name, its harm, and the honest function with its answers changed.

import type {JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import type {InProcessFunction} from '../../src/harness/functions/builtin.ts';
import {type Answer, askedInstead, type Call, changing} from './answer.ts';

export interface Harmful {
  readonly name: string;
  /** What it breaks. */
  readonly breaks: string;
  /** The reason that would excuse it. */
  readonly reason: string;
  /** The file of stories/ that shows the harm. */
  readonly story: string;
  /** So many steps of the story are enough; undefined: all. */
  readonly steps?: number | undefined;
  readonly wrap: (honest: InProcessFunction) => InProcessFunction;
}

type Change = (call: Call) => void;

export function row(name: string, breaks: string, reason: string, story: string, change: Change): Harmful {
  return {name, breaks, reason, story, wrap: (honest) => changing(honest, change)};
}

export function ignoring(part: string, reason: string, story = part): Harmful {
  const without = ({[part]: _, ...input}: JsonObject): JsonObject => input;
  return {
    name: `ignores-${part.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    breaks: `does as if the input had no ${part}`,
    reason,
    story,
    wrap: (honest) => askedInstead(honest, without),
  };
}

/** The same function in the voice of its reason. */
export function withReason({reason, wrap}: Harmful): (honest: InProcessFunction) => InProcessFunction {
  return (honest) =>
    changing(wrap(honest), ({observed, desired, answer}) => {
      const names = [...new Set([...observed.keys(), ...desired.keys()])].sort().map((name) => `"${name}"`);
      const message = `holding ${names.join(', ')}: ${reason}`;
      const others = answer.conditions.filter(({type}) => type !== 'Tethered');
      answer.conditions = [...others, {type: 'Tethered', status: 'False', reason: 'Refusing', message}];
      answer.results.push({severity: 'normal', message});
    });
}

/** Changes each object that leaves and that is of the kind asked for. */
export function each(
  {resources}: Answer,
  is: (object: KubeObject) => boolean,
  change: (one: KubeObject, name: string) => KubeObject,
) {
  for (const [name, one] of resources)
    if (is(one.object)) resources.set(name, {...one, object: change(one.object, name)});
}

export function fatal({results}: Answer, message: string): void {
  results.push({severity: 'fatal', message});
}
