// The classes of an audit's findings: how bad one is, its sentence, why it matters, the upstream source, and the remedy. The type of a
// fault follows from its row. Sentences name objects and external resources, and no other content.

import type {ResourceRef} from '../../cluster/object.ts';
import {counted, listed} from '../input/listed.ts';
import type {LegacyField} from '../input/source/legacy-definitions.ts';
import type {ClassWords} from '../report/class-findings.ts';

const crossplane = (path: string): string => `https://github.com/crossplane/crossplane/${path}`;
const ours = (page: string): string => `https://github.com/crossplane-contrib/function-tether/blob/main/${page}`;

interface Doubled {
  readonly xr: ResourceRef;
  readonly resourceName: string;
  /** The second object. */
  readonly kept: ResourceRef;
  /** The external names of both, as they may be shown. */
  readonly names: {readonly this: string; readonly kept: string};
  /** The older of the two; undefined without evidence. */
  readonly older: 'this' | 'kept' | undefined;
}

/** A row a class, the worst first. An error loses or doubles something, or stands still for good. */
export const classes = {
  doubled: {
    severity: 'error',
    title: 'One resource name, two external resources',
    says: (fault: Doubled) =>
      `${named(fault.xr)} has two external resources for its resource name "${fault.resourceName}", "${fault.names.this}" of this one and "${fault.names.kept}" of ${named(fault.kept)}; ${olderText(fault.older)}`,
    why: 'Its XR has made a second one. Which of the two has the data, no object here can tell: after a restore it is often the one that the XR does not list.',
    remedy:
      'Pause the XR and both objects, and look in the cloud which of the two holds the data. Set deletionPolicy Orphan, or managementPolicies without Delete, on both before any of them is deleted.',
    references: [
      crossplane('issues/5875'),
      ours('docs/reference/operations.md'),
      ours('docs/background/stories/s1-restore-orphan.md'),
    ],
  },
  orphan: {
    severity: 'error',
    title: 'Composed, and without an XR',
    says: (fault: {readonly xr: string | undefined; readonly externalName: string}) =>
      `it was composed${fault.xr === undefined ? '' : ` for XR "${fault.xr}"`}; no XR lists it and nothing controls it${fault.externalName === '' ? '' : `; its external name is "${fault.externalName}"`}`,
    why: 'No XR lists it and nothing controls it, so neither Crossplane nor Kubernetes will ever delete it. Its external resource lives on and is paid for.',
    remedy:
      'Pause its XR, and look whether that has another one for the same resource name and which of the two holds the data. If this one does, add it to the resourceRefs of the XR. Before any deletion, set deletionPolicy Orphan, or managementPolicies without Delete.',
    references: [crossplane('issues/5875'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  'stale-owner': {
    severity: 'error',
    title: 'Its controller is gone',
    says: (fault: {readonly owner: ResourceRef; readonly isBack: boolean}) =>
      `it is controlled by ${named(fault.owner)}, which ${fault.isBack ? 'is there again under another uid' : 'is not there'}`,
    why: 'Its controller reference has the uid of an object that is not there. Kubernetes deletes it as soon as its garbage collector sees it, and its provider deletes the external resource.',
    remedy:
      'Before anything else, take the owner reference away, or set managementPolicies without Delete. Restore with a tool that drops owner references.',
    references: [
      ours('docs/background/hazards.md'),
      'https://kubernetes.io/docs/concepts/architecture/garbage-collection/',
    ],
  },
  unlisted: {
    severity: 'error',
    title: 'Controlled by an XR that does not list it',
    says: (fault: {readonly xr: ResourceRef; readonly listed: ResourceRef | undefined}) =>
      `${named(fault.xr)} controls it and does not list it${fault.listed === undefined ? '' : `; under the same resource name it lists ${named(fault.listed)}`}`,
    why: 'Its XR has forgotten it and will not delete it when it is no longer desired. It goes only with the whole XR.',
    remedy:
      'Pause the XR, and look whether it lists another one for the same resource name and which of the two holds the data. If this one does, add it to the resourceRefs. Before any deletion, set deletionPolicy Orphan, or managementPolicies without Delete.',
    references: [crossplane('issues/5473'), ours('examples/upstream/kind-changed.md')],
  },
  release: {
    severity: 'error',
    title: 'The next reconcile lets go of it',
    says: (fault: {readonly xr: ResourceRef; readonly how: Release}) => releaseText(fault.xr, fault.how),
    why: 'Its XR lists it today. What Crossplane reads there makes it delete it, or forget it without deleting it, the next time it reconciles the XR.',
    remedy:
      'Pause the XR, and decide: who is to control it, under which resource name, and whether the Composition is to have it.',
    references: [ours('examples/upstream/ownerless-forgotten.md'), crossplane('pull/7627')],
  },
  unnamed: {
    severity: 'error',
    title: 'Listed, and without a resource name',
    says: (fault: {readonly xr: ResourceRef}) =>
      `${named(fault.xr)} lists it, and it has no annotation crossplane.io/composition-resource-name`,
    why: 'It lacks the annotation crossplane.io/composition-resource-name. Crossplane stops at it and composes nothing for this XR any more.',
    remedy: 'Look up the name that the Composition has for it, and set the annotation to that.',
    references: [ours('examples/upstream/README.md'), crossplane('issues/5875')],
  },
  unowned: {
    severity: 'warning',
    title: 'Listed, and without a controller',
    says: (fault: {readonly xr: ResourceRef}) => `${named(fault.xr)} lists it, and nothing controls it`,
    why: 'As a restore leaves it. If the next reconcile of its XR desires it, it is adopted; if not, it is forgotten for good.',
    remedy:
      'Before anybody edits the Composition, let the XR reconcile with the one that it was saved with. function-tether adopts first.',
    references: [crossplane('issues/5875'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  missing: {
    severity: 'warning',
    title: 'It lists what is not there',
    says: (fault: {readonly refs: readonly ResourceRef[]}) =>
      `it lists ${counted(fault.refs.length, 'object')} that ${fault.refs.length === 1 ? 'is' : 'are'} not there: ${listed(fault.refs.map(named), listedMax)}`,
    why: 'The next reconcile makes these anew. Where their external names were not kept, their external resources are made a second time.',
    remedy:
      'Look first whether this is a backup that lacks these kinds or namespaces. If not, pause the XR before its next reconcile, and look who deleted them.',
    references: [
      'https://github.com/vmware-tanzu/velero/issues/9432',
      ours('docs/background/stories/s3-lost-external-name.md'),
    ],
  },
  'usage-by-gone': {
    severity: 'error',
    title: 'Protected for a user that is gone',
    says: (fault: {readonly of: ResourceRef; readonly by: ResourceRef}) =>
      `it protects ${named(fault.of)} for ${named(fault.by)}, which is not there`,
    why: 'A Usage protects whether its user exists or not, and nothing collects it: what it protects can never be deleted.',
    remedy:
      'Look whether the user is about to be restored and whether anything else uses the protected object. Only then delete the Usage.',
    references: [crossplane('issues/5880'), ours('docs/background/stories/s0-usage-left-behind.md')],
  },
  'usage-of-gone': {
    severity: 'warning',
    title: 'It protects what is not there',
    says: (fault: {readonly of: ResourceRef}) => `it protects ${named(fault.of)}, which is not there`,
    why: 'It protects nothing, and will protect whatever comes back under that name.',
    remedy: 'Look whether what it protects is about to be restored. Only if it is not, delete the Usage.',
    references: [ours('docs/background/stories/s0-usage-left-behind.md')],
  },
  'usage-stuck': {
    severity: 'error',
    title: 'A Usage that cannot go',
    says: (fault: {readonly by: ResourceRef | undefined; readonly finalizers: readonly string[]}) =>
      `it is being deleted and ${fault.by === undefined ? `keeps ${fault.finalizers.join(', ')}` : `waits for ${named(fault.by)}`}`,
    why: 'It is being deleted and protects until it is gone: deletions of what it protects are refused.',
    remedy:
      'Look whether it waits for its user, which has to go first. If not, see that Crossplane runs and knows the kinds of both ends; only then take the finalizer away by hand.',
    references: [crossplane('issues/5880'), ours('docs/background/hazards.md')],
  },
  'deletion-stuck': {
    severity: 'error',
    title: 'Deleted, and it will not go',
    says: (fault: {readonly why: WhyStuck}) => `it is being deleted, and ${stuckText(fault.why)}`,
    why: 'What keeps it does not end by itself, and whatever waits for it stands still, too.',
    remedy:
      'Look first whether its external resource is to go. Then end what keeps it: the pause, the refusal, the user, or the usage. Take a finalizer away by hand last of all: the external resource stays behind and is paid for.',
    references: [
      crossplane('issues/4839'),
      'https://github.com/crossplane-contrib/provider-upjet-aws/issues/2091',
      ours('docs/reference/operations.md'),
    ],
  },
  'config-usage-stale': {
    severity: 'warning',
    title: 'Usages of a ProviderConfig that no managed resource made',
    says: (fault: {readonly usages: readonly ResourceRef[]}) =>
      `${counted(fault.usages.length, 'usage')} of it ${fault.usages.length === 1 ? 'has' : 'have'} no controller: ${listed(fault.usages.map(named), listedMax)}`,
    why: 'A restore gave their managed resources other uids. No provider may delete a usage, so the config counts its users no more, and will not go once it is deleted.',
    remedy: 'Look whether their managed resources have usages of their own again. Only then delete these usages.',
    references: [crossplane('issues/6665')],
  },
  'create-twice': {
    severity: 'error',
    title: 'The next restart of its provider makes a second one',
    says: (fault: {readonly known: 'created' | 'ready' | 'id-in-status'}) =>
      `${{created: 'its create succeeded', ready: 'it is Ready', 'id-in-status': 'its status has an id'}[fault.known]}, and it has no annotation crossplane.io/external-name`,
    why: 'Its external resource exists and its external name is saved nowhere but in the memory of the provider.',
    remedy:
      'Look up its name in the cloud, set the annotation crossplane.io/external-name to it now, and let managementPolicies have LateInitialize.',
    references: [
      'https://github.com/crossplane/upjet/issues/531',
      crossplane('issues/5918'),
      ours('docs/background/stories/s3-lost-external-name.md'),
    ],
  },
  'create-pending': {
    severity: 'error',
    title: 'A create with an unknown end',
    says: (fault: {readonly forMs: number; readonly isDeleting: boolean}) =>
      `its create began ${durationText(fault.forMs)} before the newest change here and never ended${fault.isDeleting ? '; it is being deleted' : ''}`,
    why: 'Its provider does nothing until a person has looked if the external resource exists. Not even a deletion goes on.',
    remedy:
      'Look in the cloud. If it exists, set crossplane.io/external-name and a crossplane.io/external-create-succeeded of now; if not, take crossplane.io/external-create-pending away and touch the object.',
    references: [
      'https://github.com/crossplane/crossplane-runtime/issues/360',
      'https://github.com/crossplane/crossplane-runtime/issues/340',
    ],
  },
  'external-name-missing': {
    severity: 'warning',
    title: 'It observes nothing',
    says: (_: object) => 'it may not create, and has no annotation crossplane.io/external-name',
    why: 'Its policies do not let it create, and it has no external name: it can find no external resource.',
    remedy: 'Look up what it is to observe, and set crossplane.io/external-name to that.',
    references: ['https://docs.crossplane.io/latest/guides/import-existing-resources/'],
  },
  'external-name-shared': {
    severity: 'error',
    title: 'Two managed resources, one external resource',
    says: (fault: {readonly externalName: string; readonly with: readonly ResourceRef[]}) =>
      `it leads to the same external resource, "${fault.externalName}", as ${listed(fault.with.map(named), listedMax)}`,
    why: 'Each puts back what the other changes, and whichever is deleted first deletes the external resource of both.',
    remedy:
      'Pause both, and decide which one is to keep the external resource. Give the other managementPolicies ["Observe"] before it is deleted.',
    references: [crossplane('issues/6857'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  'external-name-differs': {
    severity: 'error',
    title: 'Its name and its status tell of different resources',
    says: (fault: {readonly externalName: string; readonly id: string}) =>
      `its annotation crossplane.io/external-name, "${fault.externalName}", and its status.atProvider.id, "${fault.id}", are of the same form and differ`,
    why: 'Status has the id of another external resource than the annotation names: one of the two is about to be forgotten.',
    remedy: 'Pause it, look up both in the cloud, and set crossplane.io/external-name to the one that is in use.',
    references: [
      'https://github.com/crossplane-contrib/provider-upjet-aws/issues/1715',
      ours('docs/background/stories/s3-lost-external-name.md'),
    ],
  },
  paused: {
    severity: 'warning',
    title: 'Paused, perhaps forgotten',
    says: (fault: {readonly by: 'annotation' | 'policies'; readonly forMs: number | undefined}) =>
      `it is paused by ${fault.by === 'annotation' ? 'its annotation' : 'empty managementPolicies'}${fault.forMs === undefined ? ', since an unknown time' : ` since ${durationText(fault.forMs)}`}`,
    why: 'No controller reconciles it: drift stays, and it cannot be deleted while it is paused.',
    remedy: 'Look who set it and why. Take the pause away, or write down in an annotation of your own who wants it.',
    references: ['https://docs.crossplane.io/latest/managed-resources/managed-resources/#paused'],
  },
  'definition-terminating': {
    severity: 'error',
    title: 'A definition is being deleted',
    says: (fault: {readonly instances: number}) =>
      `it is being deleted; ${counted(fault.instances, 'object')} of its kinds ${fault.instances === 1 ? 'is' : 'are'} here`,
    why: 'It takes all objects of its kind with it, or waits for ever for those that cannot go.',
    remedy:
      'Look whether it is meant: a deletion cannot be undone. If it is a mistake, save its objects, pause them, and restore both afterwards.',
    references: [
      crossplane('issues/6396'),
      ours('docs/background/stories/s4-definition-after-crds.md'),
      ours('examples/upstream/definition-never-deleted.md'),
    ],
  },
  'definition-misnamed': {
    severity: 'error',
    title: 'A definition of a name that no API server takes',
    says: (fault: {readonly expected: string}) => `its name must be "${fault.expected}", of its plural and its group`,
    why: 'A CustomResourceDefinition is named PLURAL.GROUP, and Crossplane names that of an XR as its definition. It is refused, so the definition is never established and serves no XR.',
    remedy: 'Look where it is written, and name it so there. No object hangs on it.',
    references: [crossplane('tree/main/apis/apiextensions')],
  },
  'definition-refused': {
    severity: 'warning',
    title: 'A definition that cannot be made again as it is saved',
    says: (fault: {readonly fields: readonly LegacyField[]}) =>
      `it is of apiVersion v2 and has ${fault.fields.join(' and ')}, which only v1 may have: an API server refuses to create it as it is here`,
    why: 'Crossplane 2 shows what was written as v1 as v2, and backups save it so. On a cluster that does not have it, Velero cannot restore it, nor the XRs and claims of its kinds.',
    remedy:
      'Before the next restore, keep it as it was written, apiVersion apiextensions.crossplane.io/v1, in a repository or a Configuration, and install it first.',
    references: [crossplane('tree/main/apis/apiextensions'), ours('docs/how-to/rehearse-a-restore.md')],
  },
  'claim-mismatch': {
    severity: 'error',
    title: 'A claim and an XR that disagree',
    says: (fault: {readonly other: ResourceRef; readonly how: ClaimMismatch}) =>
      mismatches[fault.how](named(fault.other)),
    why: 'They do not name each other. The claim makes or binds another XR, or refuses to go on, and this XR may have no claim.',
    remedy:
      'Pause both, look which pair is the true one, and set resourceRef of the claim and claimRef of the XR to it.',
    references: [crossplane('issues/1805'), crossplane('issues/4273')],
  },
} as const satisfies {readonly [name: string]: ClassWords & {readonly says: (fault: never) => string}};

type Rows = typeof classes;
export type FindingClass = keyof Rows;
/** The exact fault: its class, and what its sentence names. */
export type Fault = {readonly [C in FindingClass]: {readonly class: C} & Parameters<Rows[C]['says']>[0]}[FindingClass];
export const classNames = Object.keys(classes) as readonly FindingClass[];

/** The fault in one sentence. */
export function faultText(fault: Fault): string {
  const {says}: {readonly says: (fault: never) => string} = classes[fault.class];
  return says(fault as never);
}

/** Why a deletion does not come to its end. */
export type WhyStuck = {
  readonly [K in keyof typeof stuck]: {readonly kind: K} & Parameters<(typeof stuck)[K]>[0];
}[keyof typeof stuck];

/** How an XR lets go of what it lists in its next reconcile. */
export type Release =
  | {readonly kind: 'foreign'; readonly by: ResourceRef}
  | {readonly kind: 'same-name'; readonly kept: ResourceRef; readonly resourceName: string}
  | {readonly kind: 'undesired'; readonly composition: string; readonly isOwned: boolean};

export type ClaimMismatch = keyof typeof mismatches;

function stuckText(why: WhyStuck): string {
  const text: (why: never) => string = stuck[why.kind];
  return text(why as never);
}

function olderText(older: 'this' | 'kept' | undefined): string {
  if (older === undefined) return 'nothing here says which is older';
  return older === 'this' ? 'this one is older' : 'the other one is older';
}

const stuck = {
  paused: ({by}: {readonly by: 'annotation' | 'policies'}) =>
    `${by === 'annotation' ? 'its annotation pauses' : 'its empty managementPolicies pause'} it: nothing reconciles its deletion`,
  /** This condition is False, with this reason. */
  refused: ({condition, reason}: {readonly condition: string; readonly reason: string}) =>
    `its condition ${condition} is False, ${reason}: kubectl describe shows the refusal`,
  waits: (why: {readonly for: readonly ResourceRef[]}) => `waits for ${listed(why.for.map(named), listedMax)}`,
  /** Usages of a ProviderConfig without a controller. */
  ownerless: ({usages}: {readonly usages: readonly ResourceRef[]}) =>
    `waits for ${counted(usages.length, 'usage')} without a controller, which no provider may delete: ${listed(usages.map(named), listedMax)}`,
  protected: ({of, usage}: {readonly of: ResourceRef; readonly usage: ResourceRef}) =>
    `waits for ${named(of)}, which ${named(usage)} protects`,
  late: ({forMs, finalizers}: {readonly finalizers: readonly string[]; readonly forMs: number}) =>
    `has been for ${durationText(forMs)}; it keeps ${finalizers.join(', ')}`,
};

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

const mismatches = {
  'xr-gone': (other: string) => `it names ${other}, which is not there: it will be made anew, with everything in it`,
  'claim-gone': (other: string) => `it is for ${other}, which is not there: nothing will delete it`,
  'xr-of-another': (other: string) => `it names ${other}, which names another claim`,
  'claim-of-another': (other: string) => `it is for ${other}, which names another XR`,
};

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
