// A thread that answers calls. It takes over the bytes of a request without a copy, and returns a response of exactly its size. In the
// image it is the same file as the server: the code below runs only in a thread that was started for this task.

import {isMainThread, type MessagePort, parentPort, workerData} from 'node:worker_threads';
import {answerNow} from './answerer.ts';
import type {RunOptions} from './run.ts';

/** The data that starts the thread. */
export interface RunThreadData {
  readonly task: 'answer-run-function';
  readonly options: RunOptions;
}

/** Reports that it is ready, and then answers one message after the other, in order. */
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
