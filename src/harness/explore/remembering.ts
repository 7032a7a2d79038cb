import {sameBytes} from '../../cluster/bytes.ts';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {remembering} from '../../cluster/memo.ts';
import {Recent} from '../../cluster/recent.ts';
import type {InProcessFunction} from '../functions/builtin.ts';
import {withoutTag} from './untagged.ts';

interface Known {
  readonly request: Uint8Array;
  readonly reply: FunctionReply;
}

const rememberedBytesMax = 256 * 1_048_576;

/** Functions answer the same bytes with the same bytes, and a search asks the same over and over. */
export function rememberingReplies(run: InProcessFunction): InProcessFunction {
  const replies = new Recent<number, Known>(rememberedBytesMax, bytesOf);
  return (request, service) => {
    const key = keyOf(request);
    const known = replies.get(key);
    if (known !== undefined && sameBytes(known.request, request)) return known.reply;
    const answered = run(request, service);
    const reply = answered.ok ? {...answered, response: withoutTag(answered.response)} : answered;
    replies.set(key, {request, reply});
    return reply;
  };
}

function bytesOf({request, reply}: Known): number {
  return request.length + (reply.ok ? reply.response.length : 0);
}

// The simulated Crossplane sends one array for one content.
const keyOf = remembering(hashOf);

/** A hash of bytes, for tables. */
export function hashOf(bytes: Uint8Array): number {
  let hash = bytes.length;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash;
}
