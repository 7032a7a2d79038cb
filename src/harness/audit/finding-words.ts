// The sentences of findings, one per class: they name objects and external resources, and no other content.

import type {ResourceRef} from '../../cluster/object.ts';
import {counted, listed} from '../input/listed.ts';
import type {ClassFinding} from '../report/class-findings.ts';
import {addressText, type ClaimMismatch, type Fault, type Finding, type Release, type WhyStuck} from './finding.ts';

/** The object and its fault, in one line. */
export function faultLine({object, fault}: Finding): ClassFinding {
  return {class: fault.class, text: `${addressText(object)}: ${faultText(fault)}`};
}

/** The fault in one sentence. */
export function faultText(fault: Fault): string {
  switch (fault.class) {
    case 'doubled':
      return `${named(fault.xr)} has two external resources for its resource name "${fault.resourceName}", "${fault.names.this}" of this one and "${fault.names.kept}" of ${named(fault.kept)}; ${olderText(fault.older)}`;
    case 'orphan':
      return `it was composed${fault.xr === undefined ? '' : ` for XR "${fault.xr}"`}; no XR lists it and nothing controls it${fault.externalName === '' ? '' : `; its external name is "${fault.externalName}"`}`;
    case 'stale-owner':
      return `it is controlled by ${named(fault.owner)}, which ${fault.isBack ? 'is there again under another uid' : 'is not there'}`;
    case 'unlisted':
      return `${named(fault.xr)} controls it and does not list it${fault.listed === undefined ? '' : `; under the same resource name it lists ${named(fault.listed)}`}`;
    case 'release':
      return releaseText(fault.xr, fault.how);
    case 'unnamed':
      return `${named(fault.xr)} lists it, and it has no annotation crossplane.io/composition-resource-name`;
    case 'unowned':
      return `${named(fault.xr)} lists it, and nothing controls it`;
    case 'missing':
      return `it lists ${counted(fault.refs.length, 'object')} that ${fault.refs.length === 1 ? 'is' : 'are'} not there: ${listed(fault.refs.map(named), listedMax)}`;
    case 'usage-by-gone':
      return `it protects ${named(fault.of)} for ${named(fault.by)}, which is not there`;
    case 'usage-of-gone':
      return `it protects ${named(fault.of)}, which is not there`;
    case 'usage-stuck':
      return `it is being deleted and ${fault.by === undefined ? `keeps ${fault.finalizers.join(', ')}` : `waits for ${named(fault.by)}`}`;
    case 'deletion-stuck':
      return `it is being deleted, and ${stuckText(fault.why)}`;
    case 'config-usage-stale':
      return `${counted(fault.usages.length, 'usage')} of it ${fault.usages.length === 1 ? 'has' : 'have'} no controller: ${listed(fault.usages.map(named), listedMax)}`;
    case 'create-twice':
      return `${{created: 'its create succeeded', ready: 'it is Ready', 'id-in-status': 'its status has an id'}[fault.known]}, and it has no annotation crossplane.io/external-name`;
    case 'create-pending':
      return `its create began ${durationText(fault.forMs)} before the newest change here and never ended${fault.isDeleting ? '; it is being deleted' : ''}`;
    case 'external-name-missing':
      return 'it may not create, and has no annotation crossplane.io/external-name';
    case 'external-name-shared':
      return `it leads to the same external resource, "${fault.externalName}", as ${listed(fault.with.map(named), listedMax)}`;
    case 'external-name-differs':
      return `its annotation crossplane.io/external-name, "${fault.externalName}", and its status.atProvider.id, "${fault.id}", are of the same form and differ`;
    case 'paused':
      return `it is paused by ${fault.by === 'annotation' ? 'its annotation' : 'empty managementPolicies'}${fault.forMs === undefined ? ', since an unknown time' : ` since ${durationText(fault.forMs)}`}`;
    case 'definition-terminating':
      return `it is being deleted; ${counted(fault.instances, 'object')} of its kinds ${fault.instances === 1 ? 'is' : 'are'} here`;
    case 'definition-misnamed':
      return `its name must be "${fault.expected}", of its plural and its group`;
    case 'definition-refused':
      return `it is of apiVersion v2 and has ${fault.fields.join(' and ')}, which only v1 may have: an API server refuses to create it as it is here`;
    case 'claim-mismatch':
      return mismatchText(fault.other, fault.how);
  }
}

function olderText(older: 'this' | 'kept' | undefined): string {
  if (older === undefined) return 'nothing here says which is older';
  return older === 'this' ? 'this one is older' : 'the other one is older';
}

function stuckText(why: WhyStuck): string {
  switch (why.kind) {
    case 'paused':
      return 'its annotation pauses it: nothing reconciles its deletion';
    case 'refused':
      return `its condition Synced is False, ${why.reason}: kubectl describe shows the refusal`;
    case 'waits':
      return `waits for ${listed(why.for.map(named), listedMax)}`;
    case 'ownerless':
      return `waits for ${counted(why.usages.length, 'usage')} without a controller, which no provider may delete: ${listed(why.usages.map(named), listedMax)}`;
    case 'protected':
      return `waits for ${named(why.of)}, which ${named(why.usage)} protects`;
    case 'late':
      return `has been for ${durationText(why.forMs)}; it keeps ${why.finalizers.join(', ')}`;
  }
}

function releaseText(xr: ResourceRef, how: Release): string {
  switch (how.kind) {
    case 'foreign':
      return `${named(xr)} lists it, and ${named(how.by)} controls it: ${xr.kind} "${xr.name}" will forget it`;
    case 'same-name':
      return `${named(xr)} lists it and ${named(how.kept)} under the resource name "${how.resourceName}": it will forget this one`;
    case 'undesired': {
      const what = how.isOwned ? 'will delete it' : 'will forget it without deleting it';
      return `Composition "${how.composition}" has no resource of its resource name: ${named(xr)} ${what}`;
    }
  }
}

function mismatchText(other: ResourceRef, how: ClaimMismatch): string {
  switch (how) {
    case 'xr-gone':
      return `it names ${named(other)}, which is not there: it will be made anew, with everything in it`;
    case 'claim-gone':
      return `it is for ${named(other)}, which is not there: nothing will delete it`;
    case 'xr-of-another':
      return `it names ${named(other)}, which names another claim`;
    case 'claim-of-another':
      return `it is for ${named(other)}, which names another XR`;
  }
}

function named({kind, namespace, name}: ResourceRef): string {
  return `${kind} "${namespace === undefined ? '' : `${namespace}/`}${name}"`;
}

const listedMax = 5;

/** The largest unit alone. */
function durationText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return counted(minutes, 'minute');
  return minutes < 48 * 60 ? counted(Math.round(minutes / 60), 'hour') : counted(Math.round(minutes / 1440), 'day');
}
