// A render from what was read from files to what its reconciles did.

import type {JsonObject} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {Builtins} from '../functions/builtin.ts';
import {driveWith} from '../functions/drive.ts';
import {InputError} from '../input/input-error.ts';
import {contextFunction, withContextSteps} from './composition-context.ts';
import {identifiedXr} from './identified-xr.ts';
import type {RenderInput} from './reconcile-once.ts';
import type {PipelineFunction} from './render-files.ts';
import {openRenderFunctions, type Places} from './render-functions.ts';
import {type ManyRounds, reconcileUntilStable} from './until-stable.ts';
import {type Definition, defineXr} from './xrd-defaults.ts';

export interface RenderJob extends Omit<RenderInput, 'schema'> {
  /** Those the pipeline names. */
  readonly functions: readonly PipelineFunction[];
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
