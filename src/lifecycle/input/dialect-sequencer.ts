// Inputs of function-sequencer v0.6.0 (c283338), unchanged: the same rules as our input. The apiVersion selects this dialect.
//
// Kept: a pattern is anchored at both ends unless it has an anchor of its own; a step waits for an earlier one that selects nothing
// desired; replayDeletion is off unless set, unlike in its README; without enableDeletionSequencing nothing orders deletion. Not
// kept, because they are defects: a gap in a sequence, unknown usageVersions, cycles, and an XR that is ready while its resources
// wait (reference/peers A.1). `condition` becomes `when`: CEL over observed, desired and context, as there; an error or anything
// but true or false is FATAL; while it is false nothing waits, and what deletion keeps in order stays.

import type {Json} from '../words/json.ts';
import type {InvalidInput, ParsedInput} from './input.ts';
import {fieldsOfDialects, flag, list, record} from './schema.ts';
import {type FromSchema, validate} from './validate.ts';

const schema = record('Input of function-sequencer.', {
  ...fieldsOfDialects,
  enableDeletionSequencing: flag('Order deletion, too.'),
  replayDeletion: flag('Repeat denied deletions.'),
  usageVersion: {type: 'string', enum: ['v1', 'v2'], description: 'Which Usages.'},
  resetCompositeReadiness: flag('Always so here.'),
  rules: list(
    'Sequences.',
    record('One sequence.', {
      sequence: list('Patterns.', {
        type: 'string',
        minLength: 1,
        maxLength: 900,
        holdsRegex: true,
        description: 'A pattern of resource names.',
      }),
      condition: {type: 'string', maxLength: 2048, description: 'CEL.'},
      createOnly: flag('Creation only.'),
      deleteOnly: flag('Deletion only.'),
    }),
  ),
});

type SequencerInput = FromSchema<typeof schema>;

export function fromSequencer(json: Json): ParsedInput | InvalidInput {
  const problem = validate(schema, json);
  if (problem !== undefined) return {kind: 'invalid-input', ...problem};
  const input = json as SequencerInput;
  for (const [index, {createOnly, deleteOnly}] of (input.rules ?? []).entries()) {
    const path = `rules[${index}]`;
    if (createOnly && deleteOnly) {
      const expected = 'at most one of `createOnly` and `deleteOnly`';
      return {kind: 'invalid-input', path, expected, got: 'both'};
    }
  }
  return translated(input);
}

function translated({
  cacheTTL,
  enableDeletionSequencing: ordersDeletion = false,
  replayDeletion = false,
  usageVersion,
  rules = [],
}: SequencerInput): ParsedInput | InvalidInput {
  const order = rules.map(({sequence = [], condition = '', createOnly = false, deleteOnly = false}) => ({
    // A sequence that orders nothing stays, as an empty one: places are counted, and its condition has to be valid, too.
    sequence:
      deleteOnly && !ordersDeletion
        ? []
        : sequence.map((pattern) => ({pattern: anchoredPattern(pattern), optional: true})),
    ...(condition === '' ? {} : {when: condition}),
    waitFor: 'Desired' as const,
    createOnly: createOnly || (!ordersDeletion && !deleteOnly),
    deleteOnly,
    replayDeletion,
  }));
  const input = {
    order,
    ...(cacheTTL === undefined ? {} : {ttl: cacheTTL}),
    ...(usageVersion === 'v1' ? {crossplane: '1.20'} : {}),
  };
  const placeOf = (path: string) =>
    path
      .replace(/^order\[/, 'rules[')
      .replace(/\.when$/, '.condition')
      .replace(/\.pattern$/, '');
  return {kind: 'input', input, placeOf, naming: 'function-sequencer'};
}

/**
 * Their pattern as one for whole names. Without an anchor at its ends it gets both, as text: `a|b` means what begins with a
 * or ends with b. Then it may be found anywhere.
 */
function anchoredPattern(pattern: string): string {
  const isAnchored = pattern.startsWith('^') || pattern.endsWith('$');
  if (!isAnchored && !pattern.includes('|')) return pattern;
  return `(?s:.*)(?:${isAnchored ? pattern : `^${pattern}$`})(?s:.*)`;
}
