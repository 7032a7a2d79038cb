// JUnit XML. Valid against both schemas in use (Jenkins' junit-10.xsd and the stricter JUnit.xsd of Windy Road): so every suite has
// timestamp, host, properties and both outputs, and a test case at most one failure.

import {visible} from './visible.ts';

interface Attributes {
  readonly [name: string]: string | number;
}

export interface Suite {
  readonly name: string;
  readonly package: string;
  readonly timestamp: string;
  readonly time: string;
  readonly properties: Attributes;
  readonly cases: readonly TestCase[];
  readonly out: readonly string[];
  readonly err: readonly string[];
}

export interface TestCase {
  readonly classname: string;
  readonly name: string;
  readonly time: string;
  readonly failure?: {readonly type: string; readonly message: string; readonly text: string} | undefined;
  readonly isSkipped?: boolean;
}

export function junitText(suites: readonly Suite[]): string {
  const all = suites.map(suiteXml);
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...all, '</testsuites>', ''].join('\n');
}

function suiteXml({name, package: of, timestamp, time, properties, cases, out, err}: Suite, id: number): string {
  const failures = cases.filter(({failure}) => failure !== undefined).length;
  const said = {name, package: of, timestamp, hostname: 'virtual', tests: cases.length, failures, errors: 0, time};
  return [
    `  <testsuite${attributesXml({id, ...said})}>`,
    '    <properties>',
    ...Object.entries(properties).map((property) => `      <property${propertyXml(property)}/>`),
    '    </properties>',
    ...cases.map(caseXml),
    `    <system-out>${escapedXml(out.join('\n'))}</system-out>`,
    `    <system-err>${escapedXml(err.join('\n'))}</system-err>`,
    '  </testsuite>',
  ].join('\n');
}

function propertyXml([name, value]: readonly [string, string | number]): string {
  return attributesXml({name, value});
}

function caseXml({classname, name, time, failure, isSkipped = false}: TestCase): string {
  const open = `    <testcase${attributesXml({classname, name, time})}`;
  if (isSkipped) return [`${open}>`, '      <skipped/>', '    </testcase>'].join('\n');
  if (failure === undefined) return `${open}/>`;
  const {type, message, text} = failure;
  const line = `      <failure${attributesXml({type, message})}>${escapedXml(text)}</failure>`;
  return [`${open}>`, line, '    </testcase>'].join('\n');
}

/** Attributes with a blank before each. */
function attributesXml(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapedXml(String(value))}"`)
    .join('');
}

const marks: {readonly [mark: string]: string} = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;'};

/** Text as XML allows it: control characters are written out. */
function escapedXml(text: string): string {
  return visible(text.toWellFormed()).replace(/[&<>"']/g, (mark) => marks[mark] ?? mark);
}
