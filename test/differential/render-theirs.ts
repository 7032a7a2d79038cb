// One reconcile by Crossplane itself: `crossplane internal render` reads a RenderRequest on stdin and writes a
// RenderResponse to stdout (crossplane/crossplane 2d040d2da proto/render/v1alpha1/render.proto; the numbers are the
// interface). It calls the function of the story here, over gRPC.

import {spawn} from 'node:child_process';
import {Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData} from '@grpc/grpc-js';
import {bytesMethod} from '../../src/function/run-service.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import type {RenderOutcome, RenderStory} from './render-outcome.ts';
import {messagesOf, scripted, structBytes, structJson, toldIn} from './scripted-function.ts';

const proto = `
syntax = "proto3";
message Request { Input composite = 2; }
message Function { string name = 1; string address = 2; }
message Input {
  google.protobuf.Struct xr = 1;
  google.protobuf.Struct composition = 2;
  repeated Function functions = 3;
  repeated google.protobuf.Struct observed = 4;
  repeated google.protobuf.Struct required = 5;
  repeated google.protobuf.Struct credentials = 6;
  google.protobuf.Struct definition = 8;
}
message Response { Output composite = 2; }
message Event { string type = 1; string reason = 2; string message = 3; }
message Output {
  google.protobuf.Struct xr = 1;
  repeated google.protobuf.Struct composed = 2;
  repeated google.protobuf.Struct deleted = 3;
  repeated Event events = 4;
}`;
const root = messagesOf(proto);
const requestType = root.lookupType('Request');
const responseType = root.lookupType('Response');
const fatalCode = 3;
const renderTimeoutMs = 60_000;

export interface CrossplaneRender {
  render(story: RenderStory): Promise<RenderOutcome>;
  close(): void;
}

/** Stories must be rendered one after the other: what functions are told is kept by time. */
export async function openCrossplaneRender(binary: string): Promise<CrossplaneRender> {
  let told: JsonObject[] = [];
  const server = new Server();
  const run = ({request}: ServerUnaryCall<Buffer, Buffer>, callback: sendUnaryData<Buffer>): void => {
    try {
      told.push(toldIn(request));
      callback(null, Buffer.from(scripted(request)));
    } catch (error) {
      callback(error as Error);
    }
  };
  server.addService(
    {RunFunction: bytesMethod('/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction')},
    {
      RunFunction: run as never,
    },
  );
  const port = await bind(server);
  return {
    async render(story) {
      told = [];
      const ran = await renderOnce(binary, requestOf(story, `127.0.0.1:${port}`));
      return {...outcomeOf(ran), told};
    },
    close: () => server.forceShutdown(),
  };
}

function bind(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}

function requestOf({xr, composition, observed, required, credentials, definition}: RenderStory, address: string) {
  const composite = {
    xr: structBytes(xr),
    composition: structBytes(composition),
    functions: [{name: 'script', address}],
    observed: observed.map(structBytes),
    required: required.map(structBytes),
    credentials: credentials.map(structBytes),
    ...(definition === undefined ? {} : {definition: structBytes(definition)}),
  };
  return requestType.encode(requestType.create({composite})).finish();
}

interface Ran {
  readonly code: number | null;
  readonly out: Buffer;
  readonly complaint: string;
}

function renderOnce(binary: string, request: Uint8Array): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(binary, ['internal', 'render'], {timeout: renderTimeoutMs});
    const out: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => complaint.push(data));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({code, out: Buffer.concat(out), complaint: Buffer.concat(complaint).toString().replace(/\n$/, '')}),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(request);
  });
}

interface OutputMessage {
  readonly xr?: Uint8Array;
  readonly composed?: readonly Uint8Array[];
  readonly deleted?: readonly Uint8Array[];
  readonly events?: readonly JsonObject[];
}

function outcomeOf({code, out, complaint}: Ran): Omit<RenderOutcome, 'told'> {
  const error = code === 0 ? {} : {error: reasonIn(complaint)};
  const nothing = {...error, composed: [], deleted: [], events: []};
  if (code !== 0 && code !== fatalCode) return nothing;
  const response = responseType.toObject(responseType.decode(out)) as {readonly composite?: OutputMessage};
  const {xr, composed = [], deleted = [], events = []} = response.composite ?? {};
  return {
    ...error,
    ...(xr === undefined ? {} : {xr: structJson(xr)}),
    composed: composed.map(structJson),
    deleted: deleted.map(structJson),
    events,
  };
}

/**
 * Without who says it, and without the wrapping of errors that are not fatal results. The client of a render says the
 * kind of what it does not find, where a real one says the resource.
 */
function reasonIn(complaint: string): string {
  if (complaint.includes('invalid observed resources')) return 'bad input';
  const last = complaint.split('\n').findLast((line) => line.includes('error: ')) ?? complaint;
  return last
    .replace(/^.*?error: /, '')
    .replace(/^cannot render composite resource: (reconcile failed: )?/, '')
    .replace(/\bSecret (?="[^"]*" not found)/, 'secrets ');
}
