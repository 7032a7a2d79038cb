// How many RunFunction calls are under way, from their headers on. A caller that waits for each answer has one; only
// where there are more is anything won by handing one to another thread.
//
// Crossplane makes up to 100 calls at once when it starts, each of up to 4 MB. So only some are read at a time: the others wait, and
// their bytes stay with the caller, which may send no more than the receive window of a call (server.ts). A call whose
// message does not come holds the others up for some seconds at most.

import {ServerInterceptingCall, type ServerInterceptingCallInterface, type ServerInterceptor} from '@grpc/grpc-js';

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

// Turns: at most so many go on at once, the others wait, in order. If none ends for a while, because those that go on wait for
// something themselves, one more goes on: nothing waits for ever.

export class Turns {
  private readonly atOnce: number;
  private readonly patienceMs: number;
  private readonly waiting = new Set<() => void>();
  private running = 0;
  private limit: number;
  private standstill: NodeJS.Timeout | undefined;

  constructor(atOnce: number, patienceMs: number) {
    this.atOnce = atOnce;
    this.patienceMs = patienceMs;
    this.limit = atOnce;
  }

  /** Calls `begin` when its turn comes, maybe at once. Returns how to end the turn, or the wait for it; to be called once. */
  take(begin: () => void): () => void {
    this.waiting.add(begin);
    this.proceed();
    return () => {
      if (!this.waiting.delete(begin)) this.running--;
      clearTimeout(this.standstill);
      this.standstill = undefined;
      this.proceed();
    };
  }

  private proceed(): void {
    for (const begin of this.waiting) {
      if (this.running >= this.limit) break;
      this.waiting.delete(begin);
      this.running++;
      begin();
    }
    if (this.waiting.size === 0) this.limit = this.atOnce;
    else this.standstill ??= setTimeout(() => this.goOn(), this.patienceMs).unref();
  }

  private goOn(): void {
    this.standstill = undefined;
    this.limit = this.running + 1;
    this.proceed();
  }
}
