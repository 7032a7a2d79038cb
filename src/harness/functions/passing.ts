import {bytesCopier} from '../../cluster/bytes.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {CallMemory} from '../../wire/call-memory.ts';
import {decodeRequest, type RequestMessage} from '../../wire/request-decode.ts';
import {encodeResponse, type ResponseChanges} from '../../wire/response-encode.ts';

/** Answers desired state and context as they came: what a pipeline does where the step is left out. */
export function passThrough(request: Uint8Array): FunctionReply {
  return answerWith(decodeRequest(request, callMemory), {});
}

/** The answer to a request that changes this and passes on the rest. */
export function answerWith(request: RequestMessage, changes: Partial<ResponseChanges>): FunctionReply {
  return {ok: true, response: copy(encodeResponse(request, {...nothing, ...changes}, callMemory))};
}

const callMemory = new CallMemory();
const copy = bytesCopier();

const nothing: ResponseChanges = {
  ttlSeconds: 60,
  resources: new Map(),
  results: [],
  conditions: [],
  requirements: new Map(),
  requirementFields: ['resources'],
};
