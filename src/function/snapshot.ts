// A decoded request as the policy core sees it. Its resources are the views themselves: they read the request's bytes
// when asked.

import {isForeign} from '../lifecycle/questions/registry.ts';
import type {Path} from '../lifecycle/words/json.ts';
import type {KindSchema, Snapshot} from '../lifecycle/words/snapshot.ts';
import type {Slice} from '../wire/cursor.ts';
import {capabilityRequiredSchemas, type RequestMessage} from '../wire/request-decode.ts';
import type {ResourceMessage} from '../wire/resource-message.ts';
import {decodeStruct} from '../wire/struct-cells.ts';
import {StructIndex} from '../wire/struct-index.ts';
import {StructView} from '../wire/struct-view.ts';
import {atPlace} from '../wire/text.ts';

/** The policy's view of a request whose observed XR is `xr`. */
export function snapshotOf(request: RequestMessage, xr: ResourceMessage): Snapshot {
  return {
    bytes: bytesOf(request),
    xr,
    observed: request.observed.resources,
    desired: request.desired.resources,
    required: requirementAnswers(request),
    schemas: schemasOf(request),
    desiredXr: request.desired.composite,
    context: contextOf(request),
  };
}

function bytesOf({observed, desired, input, context, answerBytes}: RequestMessage): Snapshot['bytes'] {
  const foreign = [...answerBytes].map(([name, bytes]) => (isForeign(name) ? bytes : 0));
  const others = foreign.reduce((sum, bytes) => sum + bytes, sizeOf(input) + sizeOf(context));
  return {observed: sizeOf(observed.slice), desired: sizeOf(desired.slice), others};
}

function sizeOf(slice: Slice | undefined): number {
  return slice === undefined ? 0 : slice.end - slice.start;
}

// The context is seldom read, and then a field or two of it.
export function contextOf({context}: Pick<RequestMessage, 'context'>): Snapshot['context'] {
  if (context === undefined) return () => undefined;
  // Of its own bytes: an index makes room by the size of all that it is given.
  const bytes = context.bytes.subarray(context.start, context.end);
  const view = new StructView(new StructIndex(bytes), 0, bytes.length);
  return (path) => {
    try {
      return path.length === 0 ? decodeStruct(context) : view.field(path);
    } catch (error) {
      throw atPlace('context', error);
    }
  };
}

// A kind that is not served is answered without a schema.
function schemasOf({capabilities, requiredSchemas}: RequestMessage): Snapshot['schemas'] {
  if (!capabilities.includes(capabilityRequiredSchemas)) return undefined;
  return new Map([...requiredSchemas].map(([name, schema]) => [name, kindSchema(name, schema)]));
}

function kindSchema(name: string, schema: Slice | undefined): KindSchema {
  if (schema === undefined) return {isServed: false, declares: () => false};
  return {isServed: true, declares: (path) => declares(schema, path, `required_schemas[${JSON.stringify(name)}]`)};
}

/** True also if the schema lists no fields, or keeps unknown ones. */
function declares(schema: Slice, path: Path, place: string): boolean {
  const view = new StructView(new StructIndex(schema.bytes), schema.start, schema.end);
  const above = path.slice(0, -1).flatMap((field) => ['properties', field]);
  try {
    if (view.field([...above, 'properties', path.at(-1) ?? '']) !== undefined) return true;
    if (view.field([...above, 'x-kubernetes-preserve-unknown-fields']) === true) return true;
    return view.field([...above, 'properties']) === undefined;
  } catch (error) {
    throw atPlace(place, error);
  }
}

/**
 * The answers to requirements, by requirement name. Crossplane 1 answers in extra_resources, Crossplane 2 in required_resources, some
 * versions in both.
 */
export function requirementAnswers({
  extraResources,
  requiredResources,
}: Pick<RequestMessage, 'extraResources' | 'requiredResources'>): Snapshot['required'] {
  return extraResources.size === 0 ? requiredResources : new Map([...extraResources, ...requiredResources]);
}
