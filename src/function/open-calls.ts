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
    let isOpen = true;
    const end = () => {
      if (!isOpen) return;
      isOpen = false;
      this.open--;
      if (this.open === 0) for (const then of this.waiting.splice(0)) then();
    };
    return new ServerInterceptingCall(call, {
      // Also where the caller or its deadline ends the call.
      start: (next) => next({onCancel: end}),
      sendStatus: (status, next) => {
        end();
        next(status);
      },
    });
  };
}
