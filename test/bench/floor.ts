// The transport floor: the function's own server, with everything around a call, that answers with the bytes of the
// desired state and looks at nothing else. It starts like the image's program, and says its port the same way.

import {pathToFileURL} from 'node:url';
import type {Answerer} from '../../src/function/answerer.ts';
import {startServer} from '../../src/function/server.ts';
import {cursorOf, wholeSlice} from '../../src/wire/cursor.ts';

const summary = {
  tag: '',
  xr: {apiVersion: '', kind: '', namespace: '', name: ''},
  outcome: {kind: 'planned', condition: {status: 'True', reason: 'Tethered'}, transitions: [], decisions: []},
} as const;

const floor: Answerer = {
  answer: (request, _, done) => done({kind: 'answered', response: desiredOf(request), summary}),
  threads: () => ({running: 1, replaced: 0}),
  close: async () => undefined,
};

/** The request's desired state as a response's, in place: field 3 becomes field 2. */
export function desiredOf(request: Uint8Array): Uint8Array {
  const cursor = cursorOf(wholeSlice(request));
  while (!cursor.done) {
    const start = cursor.at;
    const tag = cursor.tag();
    cursor.skip(tag);
    if (tag >>> 3 !== 3) continue;
    request[start] = (2 << 3) | 2;
    return request.subarray(start, cursor.at);
  }
  return request.subarray(0, 0);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const {port} = await startServer({
    address: '127.0.0.1:0',
    maxRecvMessageBytes: 64 * 1024 * 1024,
    answererOf: () => floor,
  });
  process.stderr.write(`${JSON.stringify({port})}\n`);
}
