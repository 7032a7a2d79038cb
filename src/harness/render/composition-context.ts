// The pipeline context of a render: given on the command line, or shown at the end. Both are steps of the pipeline that
// the command itself answers. crossplane/cli 3d72f9316 cmd/crossplane/render/contextfn/context.go.

import type {JsonObject} from '../../cluster/json.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {wholeSlice} from '../../wire/cursor.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {Sink} from '../../wire/sink.ts';
import {decodeStruct} from '../../wire/struct-decode.ts';
import {encodeStruct} from '../../wire/struct-encode.ts';
import {answerWith} from '../functions/passing.ts';

export const contextFunction = 'crossplane-render-context';

export interface ContextSteps {
  readonly composition: KubeObject;
  /** Answers both steps. */
  readonly call: (request: Uint8Array) => FunctionReply;
  /** The request of the last step; undefined if it was not reached. */
  readonly captured: () => JsonObject | undefined;
}

/** `given`: what the context begins with; undefined for nothing. `capture`: whether its end is wanted. */
export function withContextSteps(
  composition: KubeObject,
  given: JsonObject | undefined,
  capture: boolean,
): ContextSteps {
  let captured: JsonObject | undefined;
  const step = (name: string, mode: string): JsonObject => ({
    step: name,
    functionRef: {name: contextFunction},
    input: {apiVersion: 'render.crossplane.io/v1beta1', kind: 'ContextInput', mode},
  });
  const pipeline = [
    ...(given === undefined ? [] : [step('crossplane-render-inject-context', 'Seed')]),
    ...((composition.spec?.['pipeline'] ?? []) as readonly JsonObject[]),
    ...(capture ? [step('crossplane-render-extract-context', 'Capture')] : []),
  ];
  return {
    composition: {...composition, spec: {...composition.spec, pipeline}},
    call: (bytes) => {
      const request = decodeRequest(bytes);
      const before = request.context === undefined ? {} : decodeStruct(request.context);
      const isSeed = request.input !== undefined && decodeStruct(request.input)['mode'] === 'Seed';
      if (!isSeed) captured = before;
      const context = isSeed ? {...before, ...given} : before;
      const sink = new Sink(1024);
      encodeStruct(sink, context);
      return answerWith({...request, context: wholeSlice(sink.finish())}, {ttlSeconds: 0});
    },
    captured: () => captured,
  };
}
