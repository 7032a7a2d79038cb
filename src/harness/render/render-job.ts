// A render from what was read from files to what its reconciles did.

import type {JsonObject} from '../../cluster/json.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {wholeSlice} from '../../wire/cursor.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import {Sink} from '../../wire/sink.ts';
import {decodeStruct} from '../../wire/struct-cells.ts';
import {encodeStruct} from '../../wire/struct-encode.ts';
import type {Builtins} from '../functions/builtin.ts';
import {driveWith} from '../functions/drive.ts';
import {answerWith} from '../functions/passing.ts';
import type {PackagedFunction} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {identifiedXr} from './identified-xr.ts';
import type {RenderInput} from './reconcile-once.ts';
import {openRenderFunctions, type Places} from './render-functions.ts';
import {type ManyRounds, reconcileUntilStable} from './until-stable.ts';
import {type Definition, defineXr} from './xrd-defaults.ts';

export interface RenderJob extends Omit<RenderInput, 'schema'> {
  /** Those the pipeline names. */
  readonly functions: readonly PackagedFunction[];
  readonly definition: Definition | undefined;
  /** The initial context of the pipeline. */
  readonly context: JsonObject | undefined;
  readonly captureContext: boolean;
  readonly reconcilesMax: number;
  readonly timeoutMs: number;
  readonly builtins: Builtins;
  readonly places?: Places;
  /** Called with the name of the awaited function, and with undefined when the wait ends. */
  readonly waitsFor?: (what: string | undefined) => void;
}

export interface RenderDone extends ManyRounds {
  /** The XR with the defaults of its definition. */
  readonly defined: KubeObject;
  /** At the pipeline's end, where it was wanted and reached. */
  readonly context: JsonObject | undefined;
  /** Notes for the author about places of functions, a sentence each. */
  readonly notes: readonly string[];
}

/** Starts and calls the functions. Throws InputError where the input is bad or a function is not there. */
export async function runRender(job: RenderJob): Promise<RenderDone> {
  const {profile, observed, others} = job;
  const steps = withContextSteps(job.composition, job.context, job.captureContext);
  const undefinedSchema = profile.definitionApi === 'v1' ? 'legacy' : 'modern';
  const {xr, schema} =
    job.definition === undefined
      ? ({xr: job.xr, schema: undefinedSchema} as const)
      : defineXr(job.xr, job.definition, profile);
  const input = {xr: identifiedXr(xr), schema, composition: steps.composition, observed, others, profile};
  const open = await openRenderFunctions(job.functions, {
    known: job.builtins,
    places: job.places ?? {},
    waitsFor: job.waitsFor,
  });
  try {
    const drive = driveWith(reconcileUntilStable(input, job.reconcilesMax), async (call) => {
      if (call.target === contextFunction) return steps.call(call.request);
      job.waitsFor?.(`function "${call.target}"`);
      const reply = await open.call(call);
      job.waitsFor?.(undefined);
      return reply;
    });
    const many = await within(drive, job.timeoutMs);
    return {...many, defined: xr, context: steps.captured(), notes: open.notes};
  } finally {
    await open.close();
  }
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new InputError(`cannot render within ${timeoutMs / 1000} s`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

// The pipeline context of a render: given on the command line, or shown at the end. Both are steps of the pipeline that
// the command itself answers. crossplane/cli 3d72f9316 cmd/crossplane/render/contextfn/context.go.

const contextFunction = 'crossplane-render-context';

interface ContextSteps {
  readonly composition: KubeObject;
  /** Answers both steps. */
  readonly call: (request: Uint8Array) => FunctionReply;
  /** The request of the last step; undefined if it was not reached. */
  readonly captured: () => JsonObject | undefined;
}

/** `given`: what the context begins with; undefined for nothing. `capture`: whether its end is wanted. */
function withContextSteps(composition: KubeObject, given: JsonObject | undefined, capture: boolean): ContextSteps {
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
