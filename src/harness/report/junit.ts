// Runs as JUnit XML: a test suite per scenario, Crossplane version and variant; a test case per step, and one for what
// must hold at the end. Times are seconds of virtual time, and so are the timestamps: the virtual clock begins with the year 2026.

import type {RunResult} from '../scenario/run-result.ts';
import type {Failure} from '../scenario/run-steps.ts';
import {closingText} from './closing.ts';
import {runTitle} from './console.ts';
import {junitText, type TestCase} from './junit-xml.ts';
import {differenceText} from './object-diff.ts';

export function junitReport(results: readonly RunResult[]): string {
  return junitText(
    results.map((run) => ({
      name: runTitle(run),
      package: run.scenario,
      timestamp: '2026-01-01T00:00:00',
      time: secondsText(run.lastedMs),
      properties: {
        crossplane: run.crossplane,
        variant: run.variant,
        seed: run.seed,
        time: 'seconds of virtual time',
        orphans: run.orphans.length,
        reconciles: run.reconciles,
      },
      cases: casesOf(run),
      out: closingText(run),
      err: run.stuck,
    })),
  );
}

function casesOf(run: RunResult): readonly TestCase[] {
  const {timeline, failures, notRun, lastedMs} = run;
  const classname = classNameOf(run);
  const steps = timeline.flatMap(({change, atMs}) => (change.kind === 'step' ? [{name: change.name, atMs}] : []));
  const ran = steps.map(({name, atMs}, index): TestCase => {
    const time = secondsText((steps[index + 1]?.atMs ?? lastedMs) - atMs);
    const failure = failureOf(failures.filter(({stepNumber}) => stepNumber === index + 1));
    return {classname, name: `${index + 1}. ${name}`, time, failure};
  });
  const time = secondsText(0);
  if (notRun !== undefined) {
    // A step before them failed.
    const rest = notRun.map((name, index) => `${steps.length + index + 1}. ${name}`);
    return [...ran, ...[...rest, 'at the end'].map((name) => ({classname, name, time, isSkipped: true}))];
  }
  const atEnd = failures.filter(({stepNumber}) => stepNumber === undefined || stepNumber > steps.length);
  return [...ran, {classname, name: 'at the end', time, failure: failureOf(atEnd)}];
}

function failureOf([first, ...more]: readonly Failure[]): TestCase['failure'] {
  if (first === undefined) return undefined;
  const message = more.length === 0 ? first.message : `${first.message} (and ${more.length} more)`;
  const lines = [first, ...more].flatMap((failure) => [
    `${failure.place}: ${failure.step}: ${failure.message}`,
    ...differenceText(failure.difference),
  ]);
  return {type: 'expectation', message, text: lines.join('\n')};
}

/** The scenario as the package: CI servers cut at the last dot. */
function classNameOf({scenario, crossplane, variant}: RunResult): string {
  const [first, ...more] = [scenario, `Crossplane ${crossplane}${variant === '' ? '' : `, ${variant}`}`].map((part) =>
    part.replaceAll('.', '_'),
  );
  return [first, ...more].join('.');
}

function secondsText(ms: number): string {
  return (ms / 1000).toFixed(3);
}
