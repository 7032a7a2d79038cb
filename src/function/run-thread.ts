// A thread that answers calls. It is handed the bytes of a request, which are not copied, and hands back a response of just
// its size. In the image it is the same file as the server, and starts only where a thread is told to.

import {isMainThread, type MessagePort, parentPort, workerData} from 'node:worker_threads';
import {answerNow} from './answerer.ts';
import type {RunOptions} from './run.ts';

/** What the thread is started with. */
export interface RunThreadData {
  readonly task: 'answer-run-function';
  readonly options: RunOptions;
}

/** Says that it is ready, and then answers one message after the other, in order. */
function answerCalls(port: MessagePort, options: RunOptions): void {
  port.on('message', (request: Uint8Array) => {
    answerNow(request, options, (answer) => {
      const response = answer.response.slice();
      port.postMessage({...answer, response}, [response.buffer]);
    });
  });
  port.postMessage('ready');
}

const data = workerData as RunThreadData | undefined;
if (!isMainThread && parentPort !== null && data?.task === 'answer-run-function') answerCalls(parentPort, data.options);
