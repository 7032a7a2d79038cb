// tether audit: reads a source, judges it, writes the reports, and answers whether anything of --fail-on was found.

import {setTimeout as sleep} from 'node:timers/promises';
import {type CommandLine, one, text} from '../command-line/option-table.ts';
import {startMetricsServer} from '../function/metrics-server.ts';
import {splitAddress} from '../function/serve-args.ts';
import {type Audit, audit} from '../harness/audit/audit.ts';
import {AuditMetrics} from '../harness/audit/audit-metrics.ts';
import {writePolicyReports} from '../harness/audit/audit-policy-reports.ts';
import {auditJson, auditJunit, auditMarkdown, auditSarif, auditText} from '../harness/audit/audit-reports.ts';
import {classes} from '../harness/audit/class-words.ts';
import {comparedToBaseline, readBaseline} from '../harness/audit/compared.ts';
import {parseDuration} from '../harness/input/duration.ts';
import {InputError} from '../harness/input/input-error.ts';
import {clusterName, readSource} from '../harness/input/source/read-source.ts';
import type {ReadProgress} from '../harness/input/source/source.ts';
import {terminalWidth} from '../harness/report/terminal-width.ts';
import {checkReportFiles, writeReport} from '../harness/report/write-reports.ts';
import {command} from './command.ts';
import {checkBeside, checkNeeds, classesText, exitCodeOf, failOn} from './options.ts';
import {paintHere, print, printAside} from './print.ts';
import {progressHere} from './progress-here.ts';

export const auditLine = {
  name: 'audit',
  takes: 'SOURCE',
  does: 'finds what is wrong in a control plane: orphans, resources that are about to be doubled, forgotten or destroyed, and objects that stand still for good. SOURCE is a Velero backup, an export of `up`, a file, folder or glob of manifests, or `cluster`: the living one that kubectl reaches. Nothing is written but reports, and nothing of Secrets or specs is ever printed.',
  options: {
    'fail-on': failOn(classes),
    baseline: text(
      'FILE',
      'the --json report of an earlier audit: what it has is known, and what of it is gone is said',
    ),
    context: text('NAME', 'the context of the kubeconfig, for SOURCE `cluster`'),
    kubeconfig: text('FILE', 'the kubeconfig, for SOURCE `cluster`; else the one that kubectl takes'),
    every: one(
      'TIME',
      'for SOURCE `cluster`: audit again whenever so much time has passed, until a signal ends it',
      interval,
    ),
    'metrics-address': one(
      'ADDRESS',
      'host:port for /metrics, where findings are counted by class and kind of XR; with --every',
      listenable,
    ),
    json: text('FILE', 'write everything as JSON ("-" for the terminal)'),
    junit: text('FILE', 'write JUnit XML'),
    sarif: text('FILE', 'write SARIF 2.1.0, as code scanning takes it'),
    markdown: text('FILE', 'write a summary in Markdown, for a job or a pull request'),
    'policy-reports': text(
      'FILE',
      'write PolicyReport objects (wgpolicyk8s.io/v1alpha2) for kubectl apply; with FILE `cluster` they are applied to SOURCE `cluster`',
    ),
  },
  more: classesText(classes),
  example: 'tether audit examples/audit/backup.tar.gz --fail-on error',
  exitCodes: '0 no finding of --fail-on, 1 the tool itself failed, 2 bad input, 3 a finding of --fail-on.',
} satisfies CommandLine;

export const auditCommand = command(auditLine, async ({values, files, named}) => {
  const [name = ''] = files;
  checkReportFiles({
    ...values,
    policyReports: values['policy-reports'] === clusterName ? undefined : values['policy-reports'],
  });
  const ofCluster = (['context', 'kubeconfig'] as const).find((flag) => values[flag] !== undefined);
  if (ofCluster !== undefined && name !== clusterName) {
    throw new InputError(`--${ofCluster} is for the source "${clusterName}", got source "${name}"`);
  }
  checkNeeds(named, 'metrics-address', 'every');
  checkBeside(named, 'every', [
    'metrics-address',
    'baseline',
    'context',
    'kubeconfig',
    'json',
    'junit',
    'sarif',
    'markdown',
    'policy-reports',
  ]);
  const reports = values['policy-reports'];
  if (reports === clusterName && name !== clusterName) {
    throw new InputError(`--policy-reports cluster is for the source "${clusterName}", got source "${name}"`);
  }
  if (values.every !== undefined && name !== clusterName) {
    throw new InputError(`--every is for the source "${clusterName}", which changes; got source "${name}"`);
  }
  const baseline = values.baseline === undefined ? undefined : readBaseline(values.baseline);
  const auditOnce = async (ending?: AbortSignal) => {
    const progress = progressHere();
    const onProgress = ({objects, now}: ReadProgress) => progress.story(`reading: ${objects} objects, ${now}`);
    const access = {...values, ending};
    const source = await readSource(name, {onProgress, access}).finally(progress.end);
    const judged = comparedToBaseline(audit(source), baseline);
    writeReport(values.json, () => auditJson(judged));
    writeReport(values.junit, () => auditJunit(judged));
    writeReport(values.markdown, () => auditMarkdown(judged));
    writeReport(values.sarif, () => auditSarif(judged));
    if (reports !== undefined) await writePolicyReports(judged, reports, access);
    if (values.json !== '-') print(auditText(judged, terminalWidth(), paintHere()));
    return judged;
  };
  if (values.every !== undefined) {
    return await auditAgain({everyMs: values.every, address: values['metrics-address']}, auditOnce);
  }
  const compared = await auditOnce();
  const fresh = compared.fresh.map(({fault}) => fault);
  return exitCodeOf(classes, fresh, compared.notJudged, values['fail-on'].flat());
});

function interval(given: string, flag: string): number {
  const ms = parseDuration(flag, given);
  // A cluster is read in some seconds, and its API server has other work. A timer of Node knows 2 ** 31 milliseconds.
  if (ms >= 1000 && ms < 2 ** 31) return ms;
  throw new InputError(`${flag} must be 1s to 596h, got ${given}`);
}

function listenable(given: string, flag: string): string {
  if (splitAddress(given) !== undefined) return given;
  throw new InputError(`${flag} must be host:port or :port, got "${given}"`);
}

// `tether audit cluster --every 10m`: audits again and again until it is asked to end. Nothing is kept between two audits but
// numbers for Prometheus, so that several may run, and a restart loses nothing.

interface Again {
  readonly everyMs: number;
  /** host:port for /metrics; undefined for none. */
  readonly address: string | undefined;
}

/**
 * Answers 0 on SIGTERM or SIGINT. The first audit has to succeed, for then there is a cluster that may be read; later ones that
 * fail are counted. Throws InputError.
 */
async function auditAgain(
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
