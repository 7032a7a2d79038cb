// A model of function-deletion-protection, so that an XR can be switched from it and back in a scenario: a Usage for every
// desired resource that is observed and carries its label on either side, and one for the XR where it carries the label or
// any resource is protected.
// Source: crossplane-contrib/function-deletion-protection 966a356 fn.go (ProtectComposedResources, ProtectComposite).
// Not modelled: required resources, Operations, cacheTTL, and the FATAL result for a namespaced resource in v1 mode.

import type {FunctionReply} from '../../cluster/kernel/call.ts';
import type {JsonObject} from '../../wire/json.ts';
import {decodeRequest} from '../../wire/request-decode.ts';
import type {ResourceMessage} from '../../wire/resource-message.ts';
import type {ResourceChange} from '../../wire/response-encode.ts';
import {decodeStruct} from '../../wire/struct-cells.ts';
import {answerWith} from './passing.ts';
import {peerUsage} from './peer-usages.ts';

const label = 'protection.fn.crossplane.io/block-deletion';
const byLabel = `via label ${label}`;

export function deletionProtection(request: Uint8Array): FunctionReply {
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
