// Running one function once: find the active revision of its package, call the endpoint it reports.
// crossplane/crossplane 2d040d2da internal/xfn/function_runner.go.

import {type Cursor, cursorOf, type Slice, sliceBytes, wholeSlice} from '../../../wire/cursor.ts';
import type {ResourceBody, StateBody} from '../../../wire/request-encode.ts';
import {decodeResponse, type ResponseBody} from '../../../wire/response-decode.ts';
import {readMapEntry} from '../../../wire/struct-cells.ts';
import {WireError} from '../../../wire/text.ts';
import {callFunction, type Encoding, type Step} from '../../kernel/call.ts';
import {remembering} from '../../memo.ts';
import type {KubeObject} from '../../object.ts';
import {labelPackage} from '../../vocabulary.ts';
import {listCached} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import {functionApiVersion} from '../kinds/crossplane-kinds.ts';
import type {Profile} from '../profile.ts';
import type {ConnectionDetails} from './connection.ts';

/** The default limit of a received message in Go's gRPC. Neither Crossplane nor the Go SDK of functions changes it. */
const messageBytesMax = 4 * 1024 * 1024;

function sizeError(size: number): string {
  return `rpc error: code = ResourceExhausted desc = grpc: received message larger than max (${size} vs. ${messageBytesMax})`;
}

export function* runFunction(name: string, request: Encoding, profile: Profile): Step<Result<ResponseBody>> {
  const endpoint = yield* endpointOf(name, profile);
  if (!endpoint.ok) return wrapped(`cannot get gRPC client connection for Function "${name}"`, endpoint);
  const reply = yield* callFunction(endpoint.value, profile.functionService, request);
  const sizes = [request.bytes.length, ...(reply.ok ? [reply.response.length] : [])];
  const tooLarge = sizes.find((size) => size > messageBytesMax);
  if (tooLarge !== undefined) return failed(`cannot run Function "${name}": ${sizeError(tooLarge)}`);
  if (!reply.ok) return failed(`cannot run Function "${name}": ${reply.message}`);
  return wrapped(`cannot run Function "${name}"`, decoded(reply.response));
}

function* endpointOf(name: string, profile: Profile): Step<Result<string>> {
  const revisions = yield* listCached({
    apiVersion: functionApiVersion(profile),
    kind: 'FunctionRevision',
    selector: {matchLabels: {[labelPackage]: name}},
  });
  if (!revisions.ok) return wrapped('cannot list FunctionRevisions', revisions);
  const active = revisions.value.find(isActive);
  if (active === undefined) {
    return failed('cannot find an active FunctionRevision (a FunctionRevision with spec.desiredState: Active)');
  }
  const endpoint = active.status?.['endpoint'];
  if (typeof endpoint === 'string' && endpoint !== '') return success(endpoint);
  const revision = active.metadata.name;
  return failed(`cannot determine gRPC target: active FunctionRevision "${revision}" has an empty status.endpoint`);
}

export function isActive(revision: KubeObject): boolean {
  return revision.spec?.['desiredState'] === 'Active';
}

const decoded = remembering((bytes: Uint8Array): Result<ResponseBody> => {
  try {
    return success(withConnectionDetails(decodeResponse(bytes), bytes));
  } catch (error) {
    if (error instanceof WireError) return failed(error.message);
    throw error;
  }
});

// The connection details in a response's desired state, which the plain decoder leaves out: those of the XR are
// published, those of composed resources only travel on to the next pipeline step.

const fieldDesired = 2;
const fieldComposite = 1;
const fieldResources = 2;
const fieldConnectionDetails = 2;

/** The decoded response with its connection details. The bytes are known to be sound. */
export function withConnectionDetails(body: ResponseBody, bytes: Uint8Array): ResponseBody {
  let desired: StateBody = body.desired;
  for (const state of slicesOf(wholeSlice(bytes), fieldDesired)) {
    for (const composite of slicesOf(state, fieldComposite)) {
      const details = detailsOf(composite);
      if (details.size > 0 && desired.composite !== undefined) {
        desired = {...desired, composite: {...desired.composite, connectionDetails: details}};
      }
    }
    desired = {...desired, resources: withDetails(desired.resources, state)};
  }
  return {...body, desired};
}

function withDetails(resources: ReadonlyMap<string, ResourceBody>, state: Slice): ReadonlyMap<string, ResourceBody> {
  const changed = new Map<string, ResourceBody>();
  for (const [name, resource] of entriesOf(state, fieldResources)) {
    const details = detailsOf(resource);
    const known = resources.get(name);
    if (details.size > 0 && known !== undefined) changed.set(name, {...known, connectionDetails: details});
  }
  return changed.size === 0 ? resources : new Map([...resources, ...changed]);
}

function detailsOf(resource: Slice): ConnectionDetails {
  const entries = entriesOf(resource, fieldConnectionDetails);
  return new Map([...entries].map(([name, value]) => [name, sliceBytes(value).slice()]));
}

function* entriesOf(slice: Slice, field: number): Generator<readonly [string, Slice]> {
  for (const cursor of fieldsOf(slice, field)) yield readMapEntry(cursor);
}

function* slicesOf(slice: Slice, field: number): Generator<Slice> {
  for (const cursor of fieldsOf(slice, field)) yield cursor.slice();
}

// Stops at every field of this number; the consumer reads it off the cursor.
function* fieldsOf(slice: Slice, field: number): Generator<Cursor> {
  const cursor = cursorOf(slice);
  while (!cursor.done) {
    const tag = cursor.tag();
    if (tag >>> 3 === field) yield cursor;
    else cursor.skip(tag);
  }
}
