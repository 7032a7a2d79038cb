// The findings of an audit. A finding names objects and external resources, and no other content.

import {groupKindOf, type KubeObject, type ResourceRef, refOf} from '../../cluster/object.ts';
import type {ClassFinding, Severity} from '../report/class-findings.ts';
import {classes, type Fault, faultText} from './class-words.ts';

export interface Finding {
  /** The same for the same fault of the same object in every audit: what a baseline knows it by. */
  readonly id: string;
  readonly severity: Severity;
  readonly object: ResourceRef;
  readonly fault: Fault;
}

export function findingOf(object: KubeObject, fault: Fault): Finding {
  const ref = refOf(object);
  const more = fault.class === 'release' ? ` ${fault.how.kind} ${addressText(fault.xr)}` : '';
  const {severity} = classes[fault.class];
  return {id: `${fault.class} ${addressText(ref)}${more}`, severity, object: ref, fault};
}

/** `Kind.group namespace/name`, as kubectl takes it but for the blank. */
export function addressText(ref: ResourceRef): string {
  return `${groupKindOf(ref)} ${ref.namespace === undefined ? '' : `${ref.namespace}/`}${ref.name}`;
}

export function faultLine({object, fault}: Finding): ClassFinding {
  return {class: fault.class, text: `${addressText(object)}: ${faultText(fault)}`};
}

/** The result of a check. */
export interface Judged {
  readonly findings: readonly Finding[];
  /** The objects that the source is too small to judge. */
  readonly notJudged: readonly NotJudged[];
}

export interface NotJudged {
  readonly what: string;
  readonly count: number;
}

/** The findings of `judge` for each; `what` names those that it cannot judge, in the plural. */
export function findingsOfEach<T>(
  all: readonly T[],
  judge: (one: T) => Finding | 'unknown' | undefined,
  what: string,
): Judged {
  const judged = all.map(judge);
  const count = judged.filter((one) => one === 'unknown').length;
  return {
    findings: judged.filter((one) => one !== undefined && one !== 'unknown'),
    notJudged: count === 0 ? [] : [{what, count}],
  };
}
