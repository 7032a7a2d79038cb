// Findings as SARIF. An object has no line of a file that a person wrote: its address is the logical location, and the source as it
// was named the physical.

import {sarifText} from '../report/sarif.ts';
import {classWords} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, classes, classNames, type Finding} from './finding.ts';
import {faultText} from './finding-words.ts';

export function auditSarif({source, findings, fresh}: Compared): string {
  const isNew = new Set(fresh);
  const results = findings.map((finding) => ({
    ...resultOf(finding, source.origin.name),
    baselineState: isNew.has(finding) ? 'new' : 'unchanged',
  }));
  return sarifText('tether audit', rules(), results);
}

function rules() {
  return classNames.map((id) => {
    const {title, why, remedy, references} = classWords[id];
    return {
      id,
      shortDescription: {text: title},
      fullDescription: {text: why},
      help: {text: remedy},
      helpUri: references[0],
      defaultConfiguration: {level: classes[id]},
    };
  });
}

function resultOf({id, severity, object, fault}: Finding, uri: string) {
  return {
    ruleId: fault.class,
    ruleIndex: classNames.indexOf(fault.class),
    level: severity,
    message: {text: `${addressText(object)}: ${faultText(fault)}`},
    locations: [
      {
        physicalLocation: {artifactLocation: {uri: encodeURI(uri)}, region: {startLine: 1}},
        logicalLocations: [{name: object.name, fullyQualifiedName: addressText(object), kind: 'resource'}],
      },
    ],
    partialFingerprints: {'finding/v1': id},
  };
}
