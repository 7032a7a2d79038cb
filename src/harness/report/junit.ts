import type {RunResult} from '../scenario/run-scenario.ts';
import {runTitle} from './console.ts';

/** Runs as JUnit XML: a test suite per scenario, a test case per run. Times are seconds of virtual time. */
export function junitReport(results: readonly RunResult[]): string {
  const suites = Map.groupBy(results, (result) => result.scenario);
  const body = [...suites].map(([name, runs]) => {
    const failed = runs.filter((run) => run.failures.length > 0).length;
    const open = `  <testsuite name="${escaped(name)}" tests="${runs.length}" failures="${failed}">`;
    return [open, ...runs.map(caseXml), '  </testsuite>'].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...body, '</testsuites>', ''].join('\n');
}

function caseXml(run: RunResult): string {
  const time = (run.lastedMs / 1000).toFixed(3);
  const open = `    <testcase classname="${escaped(run.scenario)}" name="${escaped(runTitle(run))}" time="${time}"`;
  if (run.failures.length === 0) return `${open}/>`;
  const failures = run.failures.map(({place, step, message}) => {
    const text = escaped(`${place}: ${step}: ${message}`);
    return `      <failure message="${escaped(message)}">${text}</failure>`;
  });
  return [`${open}>`, ...failures, '    </testcase>'].join('\n');
}

/** Text as XML allows it: without control characters. */
function escaped(text: string): string {
  const marks: {readonly [mark: string]: string} = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them.
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
  return printable.replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
