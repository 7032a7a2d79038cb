// Credentials: Secrets that a pipeline step names and its function is sent.
// crossplane/crossplane 2d040d2da composite/composition_functions.go (Compose), proto field numbers as published.

import {Sink} from '../../../wire/sink.ts';
import {at, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {kindSecret} from '../../vocabulary.ts';
import {getLive} from '../client.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import {type ConnectionDetails, secretData} from './connection.ts';

const requestCredentials = 7;
const credentialsData = 1;
const dataEntries = 1;
const nothing = new Uint8Array(0);

/** The credentials of a pipeline step, as the fields of a RunFunctionRequest that hold them; often none. */
export function* fetchCredentials(step: JsonObject, of: 'Composition' | 'operation'): Step<Result<Uint8Array>> {
  const wanted = (step['credentials'] ?? []) as readonly JsonObject[];
  const found = new Map<string, ConnectionDetails>();
  for (const credential of wanted) {
    const ref = at(credential, ['secretRef']) as {readonly name: string; readonly namespace: string} | undefined;
    if (credential['source'] !== 'Secret' || ref === undefined) continue;
    const name = String(credential['name']);
    const secret = yield* getLive({...kindSecret, namespace: ref.namespace, name: ref.name});
    const context = `cannot get ${of} pipeline step "${String(step['step'])}" credential "${name}" from Secret`;
    if (!secret.ok) return wrapped(context, secret);
    if (secret.value === undefined) return failed(`${context}: secrets "${ref.name}" not found`);
    found.set(name, secretData(secret.value));
  }
  return success(found.size === 0 ? nothing : encode(found));
}

/** The bytes of a message followed by more of its fields. */
export function withFields(message: Uint8Array, more: Uint8Array): Uint8Array {
  if (more.length === 0) return message;
  const joined = new Uint8Array(message.length + more.length);
  joined.set(message);
  joined.set(more, message.length);
  return joined;
}

function encode(credentials: ReadonlyMap<string, ConnectionDetails>): Uint8Array {
  const sink = new Sink(1024);
  for (const [name, data] of [...credentials].reverse()) {
    const entryBefore = sink.size;
    for (const [key, bytes] of [...data].reverse()) writeData(sink, key, bytes);
    sink.message(credentialsData, entryBefore);
    sink.message(2, entryBefore);
    sink.text(1, name);
    sink.message(requestCredentials, entryBefore);
  }
  return sink.finish();
}

function writeData(sink: Sink, key: string, bytes: Uint8Array): void {
  const before = sink.size;
  sink.copy(2, bytes, 0, bytes.length);
  sink.text(1, key);
  sink.message(dataEntries, before);
}
