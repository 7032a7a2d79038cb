// References between templates: `${resources.vpc.status.id}` in the base or the include of a subnet. The subnet is created when the
// value is there, and if the vpc has `readyWhen`, not before that is true. The vpc is deleted after the subnet, by a Usage.
// `has(resources.vpc)` is optional and orders nothing. A template may also ask for itself this way, which keeps a value once it is
// there.

import type {InvalidInput} from '../input/input.ts';
import {celProblem, compileCel} from '../templates/cel/cel.ts';
import type {Reads} from '../templates/cel/syntax.ts';
import {readyVariables, type Template, templateVariables} from '../templates/templates.ts';
import {expressionsOf} from '../templates/value.ts';
import type {Rank} from './cycles.ts';

export interface References {
  readonly kind: 'references';
  /** Sorted by place. `of` is what is read, `by` the template that reads it. */
  readonly ranks: readonly (Rank & {readonly untilReady: boolean})[];
}

/** The reads between templates, or the first mistake. */
export function referencesOf(templates: readonly Template[]): References | InvalidInput {
  const known = new Map(templates.map((template) => [template.name, template]));
  const ranks: References['ranks'][number][] = [];
  for (const [index, template] of templates.entries()) {
    const path = `resources[${index}]`;
    const seen = new Set<string>();
    for (const expression of expressionsOfTemplate(template, path)) {
      const program = compileCel(expression.text, expression.variables);
      if (program.kind === 'failed') {
        const got = celProblem(expression.text, program);
        return {kind: 'invalid-input', path: expression.path, expected: 'a CEL expression', got};
      }
      for (const name of namesIn(program.reads, program.asked)) {
        if (expression.orders && !seen.has(name)) {
          seen.add(name);
          ranks.push({path, of: name, by: template.name, untilReady: known.get(name)?.readyWhen !== undefined});
        }
      }
    }
  }
  return {kind: 'references', ranks};
}

function* expressionsOfTemplate({base, include, readyWhen}: Template, path: string) {
  for (const {path: place, text} of expressionsOf(base, `${path}.base`)) {
    yield {path: place, text, variables: templateVariables, orders: true};
  }
  if (include !== undefined) yield {path: `${path}.include`, text: include, variables: templateVariables, orders: true};
  if (readyWhen !== undefined) {
    yield {path: `${path}.readyWhen`, text: readyWhen, variables: readyVariables, orders: false};
  }
}

/** Resource names that an expression cannot do without. */
function namesIn(reads: Reads, asked: ReadonlySet<string>): readonly string[] {
  const resources = reads.get('resources');
  if (resources === undefined || resources === 'whole') return [];
  return [...resources.keys()].filter((name) => !asked.has(`resources.${name}`)).sort();
}
