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

/** The object and its fault, in one line. */
export function faultLine({object, fault}: Finding): ClassFinding {
  return {class: fault.class, text: `${addressText(object)}: ${faultText(fault)}`};
}
