// The classes of an audit's findings: how bad one is, why it matters, the upstream source, and the remedy.

import type {ClassWords} from '../report/class-findings.ts';

const crossplane = (path: string): string => `https://github.com/crossplane/crossplane/${path}`;
const ours = (page: string): string => `https://github.com/crossplane-contrib/function-tether/blob/main/${page}`;

/** A row a class, the worst first. An error loses or doubles something, or stands still for good. */
export const classes = {
  doubled: {
    severity: 'error',
    title: 'One resource name, two external resources',
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
    why: 'No XR lists it and nothing controls it, so neither Crossplane nor Kubernetes will ever delete it. Its external resource lives on and is paid for.',
    remedy:
      'Pause its XR, and look whether that has another one for the same resource name and which of the two holds the data. If this one does, add it to the resourceRefs of the XR. Before any deletion, set deletionPolicy Orphan, or managementPolicies without Delete.',
    references: [crossplane('issues/5875'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  'stale-owner': {
    severity: 'error',
    title: 'Its controller is gone',
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
    why: 'Its XR has forgotten it and will not delete it when it is no longer desired. It goes only with the whole XR.',
    remedy:
      'Pause the XR, and look whether it lists another one for the same resource name and which of the two holds the data. If this one does, add it to the resourceRefs. Before any deletion, set deletionPolicy Orphan, or managementPolicies without Delete.',
    references: [crossplane('issues/5473'), ours('examples/upstream/kind-changed.md')],
  },
  release: {
    severity: 'error',
    title: 'The next reconcile lets go of it',
    why: 'Its XR lists it today. What Crossplane reads there makes it delete it, or forget it without deleting it, the next time it reconciles the XR.',
    remedy:
      'Pause the XR, and decide: who is to control it, under which resource name, and whether the Composition is to have it.',
    references: [ours('examples/upstream/ownerless-forgotten.md'), crossplane('pull/7627')],
  },
  unnamed: {
    severity: 'error',
    title: 'Listed, and without a resource name',
    why: 'It lacks the annotation crossplane.io/composition-resource-name. Crossplane stops at it and composes nothing for this XR any more.',
    remedy: 'Look up the name that the Composition has for it, and set the annotation to that.',
    references: [ours('examples/upstream/README.md'), crossplane('issues/5875')],
  },
  unowned: {
    severity: 'warning',
    title: 'Listed, and without a controller',
    why: 'As a restore leaves it. If the next reconcile of its XR desires it, it is adopted; if not, it is forgotten for good.',
    remedy:
      'Before anybody edits the Composition, let the XR reconcile with the one that it was saved with. function-tether adopts first.',
    references: [crossplane('issues/5875'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  missing: {
    severity: 'warning',
    title: 'It lists what is not there',
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
    why: 'A Usage protects whether its user exists or not, and nothing collects it: what it protects can never be deleted.',
    remedy:
      'Look whether the user is about to be restored and whether anything else uses the protected object. Only then delete the Usage.',
    references: [crossplane('issues/5880'), ours('docs/background/stories/s0-usage-left-behind.md')],
  },
  'usage-of-gone': {
    severity: 'warning',
    title: 'It protects what is not there',
    why: 'It protects nothing, and will protect whatever comes back under that name.',
    remedy: 'Look whether what it protects is about to be restored. Only if it is not, delete the Usage.',
    references: [ours('docs/background/stories/s0-usage-left-behind.md')],
  },
  'usage-stuck': {
    severity: 'error',
    title: 'A Usage that cannot go',
    why: 'It is being deleted and protects until it is gone: deletions of what it protects are refused.',
    remedy:
      'Look whether it waits for its user, which has to go first. If not, see that Crossplane runs and knows the kinds of both ends; only then take the finalizer away by hand.',
    references: [crossplane('issues/5880'), ours('docs/background/hazards.md')],
  },
  'deletion-stuck': {
    severity: 'error',
    title: 'Deleted, and it will not go',
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
    why: 'A restore gave their managed resources other uids. No provider may delete a usage, so the config counts its users no more, and will not go once it is deleted.',
    remedy: 'Look whether their managed resources have usages of their own again. Only then delete these usages.',
    references: [crossplane('issues/6665')],
  },
  'create-twice': {
    severity: 'error',
    title: 'The next restart of its provider makes a second one',
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
    why: 'Its policies do not let it create, and it has no external name: it can find no external resource.',
    remedy: 'Look up what it is to observe, and set crossplane.io/external-name to that.',
    references: ['https://docs.crossplane.io/latest/guides/import-existing-resources/'],
  },
  'external-name-shared': {
    severity: 'error',
    title: 'Two managed resources, one external resource',
    why: 'Each puts back what the other changes, and whichever is deleted first deletes the external resource of both.',
    remedy:
      'Pause both, and decide which one is to keep the external resource. Give the other managementPolicies ["Observe"] before it is deleted.',
    references: [crossplane('issues/6857'), ours('docs/background/stories/s1-restore-orphan.md')],
  },
  'external-name-differs': {
    severity: 'error',
    title: 'Its name and its status tell of different resources',
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
    why: 'No controller reconciles it: drift stays, and it cannot be deleted while it is paused.',
    remedy: 'Look who set it and why. Take the pause away, or write down in an annotation of your own who wants it.',
    references: ['https://docs.crossplane.io/latest/managed-resources/managed-resources/#paused'],
  },
  'definition-terminating': {
    severity: 'error',
    title: 'A definition is being deleted',
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
    why: 'A CustomResourceDefinition is named PLURAL.GROUP, and Crossplane names that of an XR as its definition. It is refused, so the definition is never established and serves no XR.',
    remedy: 'Look where it is written, and name it so there. No object hangs on it.',
    references: [crossplane('tree/main/apis/apiextensions')],
  },
  'definition-refused': {
    severity: 'warning',
    title: 'A definition that cannot be made again as it is saved',
    why: 'Crossplane 2 shows what was written as v1 as v2, and backups save it so. On a cluster that does not have it, Velero cannot restore it, nor the XRs and claims of its kinds.',
    remedy:
      'Before the next restore, keep it as it was written, apiVersion apiextensions.crossplane.io/v1, in a repository or a Configuration, and install it first.',
    references: [crossplane('tree/main/apis/apiextensions'), ours('docs/how-to/rehearse-a-restore.md')],
  },
  'claim-mismatch': {
    severity: 'error',
    title: 'A claim and an XR that disagree',
    why: 'They do not name each other. The claim makes or binds another XR, or refuses to go on, and this XR may have no claim.',
    remedy:
      'Pause both, look which pair is the true one, and set resourceRef of the claim and claimRef of the XR to it.',
    references: [crossplane('issues/1805'), crossplane('issues/4273')],
  },
} as const satisfies {readonly [name: string]: ClassWords};

export type FindingClass = keyof typeof classes;
export const classNames = Object.keys(classes) as readonly FindingClass[];
