// How many RunFunction calls are under way, from their headers on. A caller that waits for each answer has one; only
// where there are more is anything won by handing one to another thread.
//
// Crossplane makes up to 100 calls at once when it starts, each of up to 4 MB. So only some are read at a time: the others wait, and
// their bytes stay with the caller, which may send no more than the receive window of a call (receive-windows.ts). A call whose
// message does not come holds the others up for some seconds at most.

import {ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor} from '@grpc/grpc-js';
import {Turns} from './turns.ts';

/** Enough that no thread waits for a message while another is answered. */
const readAtOnce = 8;
const patienceMs = 5000;

export class OpenCalls {
  private open = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly turns = new Turns(readAtOnce, patienceMs);

  get count(): number {
    return this.open;
  }

  /** Calls once no call is under way, at once if there is none now. */
  whenNone(then: () => void): void {
    if (this.open === 0) then();
    else this.waiting.push(then);
  }

  /** Counts the calls of a server that it is given to, and has each read in its turn. */
  readonly interceptor: ServerInterceptor = (method, call) => {
    if (!method.path.endsWith('/RunFunction')) return new ServerInterceptingCall(call);
    this.open++;
    return new ReadInTurn(call, this.turns, () => {
      this.open--;
      if (this.open === 0) for (const then of this.waiting.splice(0)) then();
    });
  };
}

/** A call of which nothing is read before its turn. Until then its stream is paused (grpc-js 1.14 server-interceptors.js). */
class ReadInTurn extends ServerInterceptingCall {
  private readonly turns: Turns;
  private endTurn: (() => void) | undefined;

  constructor(call: ServerInterceptingCallInterface, turns: Turns, ended: () => void) {
    // gRPC's word for a call that is over: its answer has been sent, or its caller or its deadline ended it.
    const onCancel = () => {
      this.endTurn?.();
      ended();
    };
    super(call, {start: (next) => next({onCancel})});
    this.turns = turns;
  }

  override startRead(): void {
    if (this.endTurn === undefined) this.endTurn = this.turns.take(() => super.startRead());
    else super.startRead();
  }
}
