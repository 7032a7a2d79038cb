// Objects that change or refuse writes on a real API server, and not on the simulated one: conversion between versions,
// webhooks, policies and quotas. Every reader of a control plane names those that it was given.

import {versionsOf} from '../../../cluster/defined-kinds.ts';
import {at} from '../../../cluster/json.ts';
import {groupKindOf, type KubeObject} from '../../../cluster/object.ts';
import {listed} from '../listed.ts';

/** A sentence for each kind of them, and for each strategy of conversion. */
export function writeNotes(objects: readonly KubeObject[]): readonly string[] {
  const converting = Map.groupBy(objects.filter(converts), strategyOf);
  const judges = Map.groupBy(objects.filter(judgesWrites), ({kind}) => kind);
  return [
    ...[...converting].map(([strategy, all]) => {
      const what = `conversion ${strategy?.toLowerCase()} of ${namesOf(all)}`;
      return `not modelled: ${what}, whose versions are taken for the same shape`;
    }),
    ...[...judges].map(
      ([kind, all]) => `not modelled: ${kind} ${namesOf(all)}, which may refuse or change what is written`,
    ),
  ];
}

function namesOf(objects: readonly KubeObject[]): string {
  const names = new Set(objects.map(({metadata}) => `"${metadata.name}"`));
  return listed([...names], 4);
}

const judging: ReadonlySet<string> = new Set([
  ...['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'].map(ofAdmission),
  ...['MutatingAdmissionPolicy', 'ValidatingAdmissionPolicy'].map(ofAdmission),
  ...['LimitRange', 'ResourceQuota'],
]);

function ofAdmission(kind: string): string {
  return `${kind}.admissionregistration.k8s.io`;
}

/** Crossplane's own webhooks are part of the simulated one. */
export function judgesWrites(object: KubeObject): boolean {
  return judging.has(groupKindOf(object)) && !object.metadata.name.startsWith('crossplane');
}

function converts(object: KubeObject): boolean {
  const {kind} = object;
  if (kind !== 'CustomResourceDefinition' && kind !== 'CompositeResourceDefinition') return false;
  return (strategyOf(object) ?? 'None') !== 'None' && versionsOf(object).length > 1;
}

function strategyOf({spec}: KubeObject): string | undefined {
  const strategy = at(spec, ['conversion', 'strategy']);
  return strategy === undefined ? undefined : String(strategy);
}
