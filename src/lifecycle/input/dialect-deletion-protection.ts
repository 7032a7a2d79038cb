// Inputs of function-deletion-protection v0.2.1 (966a356), unchanged: a resource with its label is protected, and the XR with it.
// The apiVersion selects this dialect.
//
// Kept: the label, in any case of letters, on the desired or the observed resource; the XR protected where it carries the label or
// any resource does; nothing protected before it is there. Not kept, because they are defects: dropping a protected resource
// together with its Usage, Usages that leave the XR unready, and one namespaced resource in v1 mode that drops the protection of
// all (reference/peers A.1). Required resources are protected by the label, and what a WatchOperation watches always, with the
// Usages of Crossplane 2 in an Operation, as there.

import type {Json} from '../words/json.ts';
import type {InvalidInput, ParsedInput} from './input.ts';
import {fieldsOfDialects, flag, record} from './schema.ts';
import {type FromSchema, validate} from './validate.ts';

const schema = record('Input of function-deletion-protection.', {
  ...fieldsOfDialects,
  enableV1Mode: flag('Usages of Crossplane 1.'),
});

const blocked = {
  labels: [{key: 'protection.fn.crossplane.io/block-deletion', value: 'true', ignoreCase: true}],
  optional: true,
};

export function fromDeletionProtection(json: Json): ParsedInput | InvalidInput {
  const problem = validate(schema, json);
  if (problem !== undefined) return {kind: 'invalid-input', ...problem};
  const {cacheTTL, enableV1Mode} = json as FromSchema<typeof schema>;
  return {
    kind: 'input',
    input: {
      protect: {
        resources: [{match: blocked}],
        xrMatch: blocked,
        required: [{match: {resources: ['ops.crossplane.io/watched-resource'], optional: true}}, {match: blocked}],
      },
      ...(cacheTTL === undefined ? {} : {ttl: cacheTTL}),
      ...(enableV1Mode ? {crossplane: '1.20'} : {}),
    },
    // Nothing of it can be wrong for one XR and right for another.
    placeOf: (path) => path,
    naming: 'function-deletion-protection',
  };
}
