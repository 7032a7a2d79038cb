// Prometheus metrics in the text format (https://prometheus.io/docs/instrumenting/exposition_formats/). Call counters
// have the names that Go functions have (grpc-ecosystem/go-grpc-middleware), so that dashboards work for both.

import type {Answerer} from './answerer.ts';
import type {RunSummary} from './run-summary.ts';

const bucketsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;

interface Histogram {
  readonly buckets: number[];
  sum: number;
  count: number;
}

export class Metrics {
  private readonly answerer: Pick<Answerer, 'threads'>;
  private readonly handledTotal = new Map<string, number>();
  private readonly handlingSeconds = new Map<string, Histogram>();
  private readonly decisions = new Map<string, number>();
  private readonly outcomes = new Map<string, number>();

  constructor(answerer: Pick<Answerer, 'threads'>) {
    this.answerer = answerer;
  }

  /** Counts one call that ended with the gRPC `code`. */
  handled(service: string, method: string, code: string, seconds: number): void {
    const labels = `grpc_method="${method}",grpc_service="${service}",grpc_type="unary"`;
    increment(this.handledTotal, `grpc_code="${code}",${labels}`);
    let histogram = this.handlingSeconds.get(labels);
    if (histogram === undefined) {
      histogram = {buckets: bucketsSeconds.map(() => 0), sum: 0, count: 0};
      this.handlingSeconds.set(labels, histogram);
    }
    const bucket = bucketsSeconds.findIndex((limit) => seconds <= limit);
    if (bucket >= 0) histogram.buckets[bucket] = (histogram.buckets[bucket] ?? 0) + 1;
    histogram.sum += seconds;
    histogram.count++;
  }

  /** Counts what one run decided. Labels are kinds and reasons, never names: their number is bounded. */
  ran({outcome}: RunSummary): void {
    if (outcome.kind === 'refused') {
      increment(this.outcomes, 'outcome="fatal",reason=""');
      return;
    }
    increment(this.outcomes, `outcome="planned",reason="${outcome.condition.reason}"`);
    for (const {decision, reason, count} of outcome.decisions) {
      increment(this.decisions, `decision="${decision}",reason="${reason}"`, count);
    }
  }

  /** All of it, as a scrape answers. */
  render(): string {
    const {running, replaced} = this.answerer.threads();
    return [
      ...counter('grpc_server_handled_total', 'RPCs completed on the server.', this.handledTotal),
      ...this.renderHandling(),
      ...counter('tether_runs_total', 'RunFunction calls by outcome.', this.outcomes),
      ...counter('tether_decisions_total', 'Decisions about composed resources.', this.decisions),
      '# HELP tether_threads Threads that serve.',
      '# TYPE tether_threads gauge',
      `tether_threads ${running}`,
      '# HELP tether_threads_replaced_total Threads that ended by mistake and were replaced.',
      '# TYPE tether_threads_replaced_total counter',
      `tether_threads_replaced_total ${replaced}`,
      '# HELP process_resident_memory_bytes Resident memory size in bytes.',
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '',
    ].join('\n');
  }

  private renderHandling(): string[] {
    const name = 'grpc_server_handling_seconds';
    const lines = [`# HELP ${name} Time from request to response inside of the server.`, `# TYPE ${name} histogram`];
    for (const [labels, {buckets, sum, count}] of this.handlingSeconds) {
      let below = 0;
      for (const [index, limit] of bucketsSeconds.entries()) {
        below += buckets[index] ?? 0;
        lines.push(`${name}_bucket{${labels},le="${limit}"} ${below}`);
      }
      lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`);
    }
    return lines;
  }
}

function increment(counters: Map<string, number>, labels: string, by = 1): void {
  counters.set(labels, (counters.get(labels) ?? 0) + by);
}

function counter(name: string, help: string, values: ReadonlyMap<string, number>): string[] {
  const samples = [...values].sort().map(([labels, value]) => `${name}{${labels}} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...samples];
}
