// Findings as SARIF 2.1.0 (OASIS, sarif-v2.1.0-os), for code scanning: a rule per class, a result per finding. An object has
// no line of a file that a person wrote: its address is the logical location, and the source as it was named the physical.

import {visible} from '../report/visible.ts';
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
  const informationUri = 'https://github.com/crossplane-contrib/function-tether';
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{tool: {driver: {name: 'tether audit', informationUri, rules: rules()}}, results}],
  };
  return visible(`${JSON.stringify(log, undefined, 2)}\n`);
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
