import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {encodeResponse} from '../../wire/response-encode.ts';

/** Answers desired state and context as they came: what a pipeline does where the step is left out. */
export function passing(request: Uint8Array): FunctionReply {
  const response = encodeResponse(decodeRequest(request), {
    ttlSeconds: 60,
    resources: new Map(),
    results: [],
    conditions: [],
    requirements: new Map(),
    requirementFields: ['resources'],
  });
  return {ok: true, response};
}
