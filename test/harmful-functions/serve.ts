// A harmful function at an address, as any function of a pipeline is: `npm run harmful-functions -- --serve NAME`.

import type {Answerer} from '../../src/function/answerer.ts';
import {runWithReport} from '../../src/function/run.ts';
import {summaryOf} from '../../src/function/run-summary.ts';
import {type RunningServer, startServer} from '../../src/function/server.ts';
import type {InProcessFunction} from '../../src/harness/functions/builtin.ts';

/** Serves it without TLS. Whoever asks gets its answers, under whatever name the pipeline knows it. */
export function serve(run: InProcessFunction, address: string): Promise<RunningServer> {
  const answererOf = (): Answerer => ({
    answer: (request, _, done) => {
      const reply = run(request, 'apiextensions.fn.proto.v1');
      const summary = summaryOf(runWithReport(request).report);
      done(reply.ok ? {kind: 'answered', response: reply.response, summary} : {kind: 'thread-ended'});
    },
    threads: () => ({running: 1, replaced: 0}),
    close: async () => undefined,
  });
  return startServer({address, answererOf});
}
