// The functions that this tool has itself, by name. Most are models of other functions, which stand in for them.

import type {FunctionReply, FunctionService} from '../../cluster/kernel/call.ts';
import type {JsonObject} from '../../wire/json.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import type {ResourceMessage} from '../../wire/resource-message.ts';
import type {ResourceChange} from '../../wire/response-encode.ts';
import {decodeStruct} from '../../wire/struct-cells.ts';
import {answeringOnce} from './answer-once.ts';
import {functionStatic} from './function-static.ts';
import {answerWith, passThrough} from './passing.ts';
import {peerUsage} from './peer-usages.ts';
import {sequencer} from './sequencer.ts';

export type InProcessFunction = (request: Uint8Array, service: FunctionService) => FunctionReply;

/** Functions that a scenario may use without a process of their own, by name. A caller may add more. */
export interface Builtins {
  readonly [name: string]: InProcessFunction;
}

/** Models of foreign programs. They run only if a file names them, and the output notes it. */
export const standIns: readonly string[] = ['function-sequencer', 'function-deletion-protection'];

/** The note about a model in the output. */
export function standInNote(name: string, standIn: string): string {
  return `function "${name}" is not the program: this tool's model of ${standIn} stands in for it`;
}

/** Of functions by name. */
export function standInNotes(functions: {
  readonly [name: string]: {readonly kind: string; readonly name?: string};
}): readonly string[] {
  return Object.entries(functions).flatMap(([name, {kind, name: standIn = ''}]) =>
    kind === 'builtin' && standIns.includes(standIn) ? [standInNote(name, standIn)] : [],
  );
}

export const builtins: Builtins = {
  'function-static': answeringOnce(functionStatic),
  'function-deletion-protection': answeringOnce(deletionProtection),
  passing: passThrough,
  'function-sequencer': answeringOnce(sequencer),
};

/** Which of the functions in this process a function is: by its name, or by the last part of its package's. */
export function builtinFor(name: string, reference: string, known: readonly string[]): string | undefined {
  return [name, repositoryOf(reference)].find((one) => known.includes(one) && !standIns.includes(one));
}

/** How to ask for the model of a program, if there is one; what follows the reason that it does not run. */
export function standInAdvice(name: string, reference: string): string {
  const found = [name, repositoryOf(reference)].find((one) => standIns.includes(one));
  return found === undefined ? '' : `; --function ${name}=${found} has this tool's model stand in for it`;
}

/** `function-auto-ready` of `registry/owner/function-auto-ready:v1`; empty where nothing is named. */
export function repositoryOf(reference: string): string {
  return /([^/:@]+)(?:[:@][^/]*)?$/.exec(reference)?.[1] ?? '';
}

// A model of function-deletion-protection, so that an XR can be switched from it and back in a scenario: a Usage for every
// desired resource that is observed and carries its label on either side, and one for the XR where it carries the label or
// any resource is protected.
// Source: crossplane-contrib/function-deletion-protection 966a356 fn.go (ProtectComposedResources, ProtectComposite).
// Not modelled: required resources, Operations, cacheTTL, and the FATAL result for a namespaced resource in v1 mode.

const label = 'protection.fn.crossplane.io/block-deletion';
const byLabel = `via label ${label}`;

function deletionProtection(request: Uint8Array): FunctionReply {
  const message = decodeRequest(request);
  const {observed, desired} = message;
  const isLegacy = message.input !== undefined && decodeStruct(message.input)['enableV1Mode'] === true;
  const usages = new Map<string, ResourceChange>();
  const protect = (resourceName: string, of: ResourceMessage, why: string) => {
    const name = `${of.kind}-${of.name}`;
    const spec: JsonObject = {reason: `created by function-deletion-protection ${why}`};
    const object = peerUsage({of, spec, name, suffix: 'fn-protection', isLegacy});
    usages.set(resourceName, {kind: 'put', object, ready: 'unspecified'});
  };
  for (const [name, wanted] of desired.resources) {
    const of = observed.resources.get(name);
    if (of !== undefined && (isLabelled(wanted) || isLabelled(of))) protect(`${name}-usage`, of, byLabel);
  }
  const xr = observed.composite;
  if (xr !== undefined && (usages.size > 0 || isLabelled(xr) || isLabelled(desired.composite))) {
    const why = usages.size > 0 ? 'because a composed resource is protected' : byLabel;
    protect(`xr-${xr.name}-usage`.toLowerCase(), xr, why);
  }
  return answerWith(message, {resources: usages});
}

function isLabelled(resource: ResourceMessage | undefined): boolean {
  const value = resource?.field(['metadata', 'labels', label]);
  return typeof value === 'string' && value.toLowerCase() === 'true';
}
