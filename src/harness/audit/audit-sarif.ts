// Findings as SARIF. An object has no line of a file that a person wrote: its address is the logical location, and the source as it
// was named the physical.

import {sarifText} from '../report/class-findings.ts';
import {classes} from './class-words.ts';
import type {Compared} from './compared.ts';
import {addressText, faultLine} from './finding.ts';

export function auditSarif({source, findings, fresh}: Compared): string {
  const isNew = new Set(fresh);
  const physicalLocation = {artifactLocation: {uri: encodeURI(source.origin.name)}, region: {startLine: 1}};
  const results = findings.map((finding) => {
    const {id, object} = finding;
    const logicalLocations = [{name: object.name, fullyQualifiedName: addressText(object), kind: 'resource'}];
    const baselineState = isNew.has(finding) ? ('new' as const) : ('unchanged' as const);
    return {...faultLine(finding), id, locations: [{physicalLocation, logicalLocations}], baselineState};
  });
  return sarifText('tether audit', classes, results);
}
