// Running one function once: find the active revision of its package, call the endpoint it reports.
// crossplane/crossplane 2d040d2da internal/xfn/function_runner.go.

import {decodeResponse, type ResponseBody} from '../../../wire/response-decode.ts';
import {WireError} from '../../../wire/wire-error.ts';
import {callFunction, type Encoding, type Step} from '../../kernel/call.ts';
import {remembering} from '../../memo.ts';
import type {KubeObject} from '../../object.ts';
import {labelPackage} from '../../vocabulary.ts';
import {listCached} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import {functionApiVersion} from '../kinds/function-kinds.ts';
import type {Profile} from '../profile.ts';
import {withConnectionDetails} from './response-connection.ts';

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
