// A function that answers by its request alone runs once for it. At rest most polls repeat an earlier request, and the simulated
// Crossplane sends equal requests as one array (src/cluster/crossplane/composite/tagged-request.ts).

import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {Recent} from '../../cluster/recent.ts';

const bytesMax = 16 * 1_048_576;

interface Answer {
  readonly reply: FunctionReply;
  readonly bytes: number;
}

/** `run` is the same for both services of functions. */
export function answeringOnce(run: (request: Uint8Array) => FunctionReply): (request: Uint8Array) => FunctionReply {
  const answers = new Recent<Uint8Array, Answer>(bytesMax, ({bytes}) => bytes);
  return (request) => {
    const known = answers.get(request);
    if (known !== undefined) return known.reply;
    const reply = run(request);
    answers.set(request, {reply, bytes: request.length + (reply.ok ? reply.response.length : 0)});
    return reply;
  };
}
