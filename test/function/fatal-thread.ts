// A thread that answers calls, and ends at once when a request holds the words that tell it to.

import {parentPort} from 'node:worker_threads';

parentPort?.on('message', (request: Uint8Array) => {
  if (Buffer.from(request).includes('end-this-thread')) process.exit(7);
});
await import('../../src/function/run-thread.ts');
