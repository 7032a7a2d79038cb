// How many RunFunction calls are under way, from their headers on. A caller that waits for each answer has one; only
// where there are more is anything won by handing one to another thread.

import {ServerInterceptingCall, type ServerInterceptor} from '@grpc/grpc-js';

export class OpenCalls {
  private open = 0;
  private readonly waiting: (() => void)[] = [];

  get count(): number {
    return this.open;
  }

  /** Calls once no call is under way, at once if there is none now. */
  whenNone(then: () => void): void {
    if (this.open === 0) then();
    else this.waiting.push(then);
  }

  /** Counts the calls of a server that it is given to. */
  readonly interceptor: ServerInterceptor = (method, call) => {
    if (!method.path.endsWith('/RunFunction')) return new ServerInterceptingCall(call);
    this.open++;
    const end = () => {
      this.open--;
      if (this.open === 0) for (const then of this.waiting.splice(0)) then();
    };
    // gRPC's word for a call that is over: its answer has been sent, or its caller or its deadline ended it.
    return new ServerInterceptingCall(call, {start: (next) => next({onCancel: end})});
  };
}
