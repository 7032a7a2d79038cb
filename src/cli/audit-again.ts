// `tether audit cluster --every 10m`: audits again and again until it is asked to end. Nothing is kept between two audits but
// numbers for Prometheus, so that several may run, and a restart loses nothing.

import {setTimeout as sleep} from 'node:timers/promises';
import {startMetricsServer} from '../function/metrics-server.ts';
import type {Audit} from '../harness/audit/audit.ts';
import {AuditMetrics} from '../harness/audit/audit-metrics.ts';
import {InputError} from '../harness/input/input-error.ts';
import {printAside} from './print.ts';

export interface Again {
  readonly everyMs: number;
  /** host:port for /metrics; undefined for none. */
  readonly address: string | undefined;
}

/**
 * Answers 0 on SIGTERM or SIGINT. The first audit has to succeed, for then there is a cluster that may be read; later ones that
 * fail are counted. Throws InputError.
 */
export async function auditAgain(
  {everyMs, address}: Again,
  auditOnce: (ending: AbortSignal) => Promise<Audit>,
): Promise<number> {
  const ending = endSignal();
  const metrics = new AuditMetrics();
  const server = address === undefined ? undefined : await startMetricsServer(address, metrics).catch(refuse(address));
  try {
    for (let isFirst = true; !ending.aborted; isFirst = false) {
      const beganMs = performance.now();
      try {
        const audited = await auditOnce(ending);
        metrics.audited(audited, {endMs: Date.now(), tookMs: performance.now() - beganMs});
      } catch (error) {
        if (ending.aborted) break;
        if (isFirst || !(error instanceof InputError)) throw error;
        metrics.failed();
        printAside(`audit failed, the next is in ${Math.round(everyMs / 1000)} s: ${error.message}`);
      }
      const restMs = Math.max(0, everyMs - (performance.now() - beganMs));
      await sleep(restMs, undefined, {signal: ending}).catch(() => {});
    }
  } finally {
    await server?.close();
  }
  return 0;
}

function refuse(address: string) {
  return (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError(`cannot listen on --metrics-address ${address}: ${why}`);
  };
}

function endSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  return ending.signal;
}
