// Runs as JUnit XML: a test suite per scenario, Crossplane version and variant; a test case per step, and one for what
// must hold at the end. Valid against both schemas in use (Jenkins' junit-10.xsd and the stricter JUnit.xsd of
// Windy Road): so every suite has timestamp, host, properties and both outputs, and a test case at most one failure.
// Times are seconds of virtual time, and so are the timestamps: the virtual clock begins with the year 2026.

import type {RunResult} from '../scenario/run-result.ts';
import type {Failure} from '../scenario/run-steps.ts';
import {closingText} from './closing.ts';
import {runTitle} from './console.ts';
import {differenceText} from './object-diff.ts';
import {attributesXml, escapedXml} from './xml-text.ts';

export function junitReport(results: readonly RunResult[]): string {
  const suites = results.map(suiteXml);
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...suites, '</testsuites>', ''].join('\n');
}

interface TestCase {
  readonly name: string;
  readonly ms: number;
  readonly failures: readonly Failure[];
  /** A step before it failed. */
  readonly isSkipped?: true;
}

function suiteXml(run: RunResult, id: number): string {
  const cases = casesOf(run);
  const failed = cases.filter(({failures}) => failures.length > 0).length;
  const attributes = {
    id,
    name: runTitle(run),
    package: run.scenario,
    timestamp: '2026-01-01T00:00:00',
    hostname: 'virtual',
    tests: cases.length,
    failures: failed,
    errors: 0,
    time: secondsText(run.lastedMs),
  };
  const properties = {
    crossplane: run.crossplane,
    variant: run.variant,
    seed: run.seed,
    time: 'seconds of virtual time',
    orphans: run.orphans.length,
    reconciles: run.reconciles,
  };
  return [
    `  <testsuite${attributesXml(attributes)}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property${attributesXml({name, value})}/>`),
    '    </properties>',
    ...cases.map((one) => caseXml(one, run)),
    `    <system-out>${escapedXml(closingText(run).join('\n'))}</system-out>`,
    `    <system-err>${escapedXml(run.stuck.join('\n'))}</system-err>`,
    '  </testsuite>',
  ].join('\n');
}

function casesOf({timeline, failures, notRun, lastedMs}: RunResult): readonly TestCase[] {
  const steps = timeline.flatMap(({change, atMs}) => (change.kind === 'step' ? [{name: change.name, atMs}] : []));
  const ran = steps.map(({name, atMs}, index): TestCase => {
    const ms = (steps[index + 1]?.atMs ?? lastedMs) - atMs;
    return {name: `${index + 1}. ${name}`, ms, failures: failures.filter(({stepNumber}) => stepNumber === index + 1)};
  });
  if (notRun !== undefined) {
    const rest = notRun.map((name, index) => `${steps.length + index + 1}. ${name}`);
    return [...ran, ...[...rest, 'at the end'].map((name) => ({name, ms: 0, failures: [], isSkipped: true}) as const)];
  }
  const atEnd = failures.filter(({stepNumber}) => stepNumber === undefined || stepNumber > steps.length);
  return [...ran, {name: 'at the end', ms: 0, failures: atEnd}];
}

function caseXml({name, ms, failures, isSkipped}: TestCase, run: RunResult): string {
  const open = `    <testcase${attributesXml({classname: classNameOf(run), name, time: secondsText(ms)})}`;
  if (isSkipped === true) return [`${open}>`, '      <skipped/>', '    </testcase>'].join('\n');
  const [first, ...more] = failures;
  if (first === undefined) return `${open}/>`;
  const message = more.length === 0 ? first.message : `${first.message} (and ${more.length} more)`;
  const lines = failures.flatMap((failure) => [
    `${failure.place}: ${failure.step}: ${failure.message}`,
    ...differenceText(failure.difference),
  ]);
  const failure = `<failure${attributesXml({type: 'expectation', message})}>${escapedXml(lines.join('\n'))}</failure>`;
  return [`${open}>`, `      ${failure}`, '    </testcase>'].join('\n');
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
