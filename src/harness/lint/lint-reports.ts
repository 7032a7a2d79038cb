// The findings as JSON and as SARIF.

import {sarifText} from '../report/sarif.ts';
import {visible} from '../report/visible.ts';
import {classes, classNames, type Finding, severityOf} from './finding.ts';
import type {Linted} from './lint.ts';

export function lintJson({paths, findings, called, notJudged}: Linted): string {
  const rows = findings.map((finding) => ({...finding, severity: severityOf(finding)}));
  return visible(`${JSON.stringify({paths, called, notJudged, findings: rows}, undefined, 2)}\n`);
}

export function lintSarif({findings}: Linted): string {
  return sarifText('tether lint', rules(), findings.map(resultOf));
}

function rules() {
  return classNames.map((id) => {
    const {title, why, remedy, severity} = classes[id];
    return {
      id,
      shortDescription: {text: title},
      fullDescription: {text: why},
      help: {text: remedy},
      defaultConfiguration: {level: severity},
    };
  });
}

function resultOf(finding: Finding) {
  const [, uri = finding.place, line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(finding.place) ?? [];
  const region = {startLine: Number(line), startColumn: Number(column)};
  return {
    ruleId: finding.class,
    ruleIndex: classNames.indexOf(finding.class),
    level: severityOf(finding),
    message: {text: `${finding.object}: ${finding.sentence}`},
    locations: [{physicalLocation: {artifactLocation: {uri: encodeURI(uri)}, region}}],
    partialFingerprints: {'finding/v1': `${finding.class} ${finding.object} ${finding.sentence}`},
  };
}
