// Findings as JUnit XML, in the form that test reports have (report/junit.ts): one suite, a test case per new finding, and
// one for each class of which there is none. The timestamp is the newest moment of the source.

import {sourceLines} from '../input/source/source-words.ts';
import {attributesXml, escapedXml} from '../report/xml-text.ts';
import {classes, classNames, faultText} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, type Finding} from './finding.ts';

export function auditJunit({source, fresh}: Compared): string {
  const clean = classNames.filter((name) => !fresh.some(({fault}) => fault.class === name));
  const attributes = {
    id: 0,
    name: `audit of ${source.origin.name}`,
    package: 'tether.audit',
    timestamp: new Date(source.asOfMs).toISOString().slice(0, 19),
    hostname: 'virtual',
    tests: fresh.length + clean.length,
    failures: fresh.length,
    errors: 0,
    time: '0.000',
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${attributesXml(attributes)}>`,
    '    <properties>',
    `      <property${attributesXml({name: 'objects', value: source.objects.length})}/>`,
    '    </properties>',
    ...fresh.map(caseXml),
    ...clean.map(
      (name) => `    <testcase${attributesXml({classname: `audit.${name}`, name: 'none', time: '0.000'})}/>`,
    ),
    `    <system-out>${escapedXml(sourceLines(source).join('\n'))}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseXml({object, severity, fault}: Finding): string {
  const {why, remedy} = classes[fault.class];
  const message = faultText(fault);
  return [
    `    <testcase${attributesXml({classname: `audit.${fault.class}`, name: addressText(object), time: '0.000'})}>`,
    `      <failure${attributesXml({type: severity, message})}>${escapedXml(`${why}\n${remedy}`)}</failure>`,
    '    </testcase>',
  ].join('\n');
}
