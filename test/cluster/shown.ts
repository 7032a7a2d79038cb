// Which test shows which behaviour of the simulated world. A title is quoted in part, and `%s` in it stands for the versions.
// Setting a behaviour of a recorded version to another value makes its tests fail, but for `seededRequirements`, which does
// nothing without the tracker.

/** A behaviour, a file below `test/`, and words of titles in it. */
export type Shown = readonly [behaviour: string, file: string, titles: readonly string[]];

export const ofApiServer: readonly Shown[] = [
  [
    'server-side apply: conflicts with the real sentences, force, shared fields, what is left out',
    'cluster/api/apply.test.ts',
    ['refuses to change what another owns, naming owner and field', 'takes a field over by force, and only that field'],
  ],
  [
    'lists as maps, sets and atoms; nested defaults',
    'cluster/api/apply.test.ts',
    [
      'owns the items of a map list by key, with the default of a key that is left out',
      'owns an atomic list and an atomic map whole',
    ],
  ],
  [
    'managed fields of every manager, by version and subresource; the reset; at most ten updaters',
    'cluster/api/managed-fields.test.ts',
    [
      'are wiped by a list of one empty entry, and then nobody is tracked until the next apply',
      'merge the oldest updaters of a version once there are more than ten',
    ],
  ],
  [
    'pruning and defaults',
    'cluster/api/coerce.test.ts',
    ['decoding a custom resource', 'does less to the result of an apply'],
  ],
  [
    'schema validation, ratcheted',
    'cluster/api/validation.test.ts',
    ['a custom resource that does not fit its schema is refused', 'but not a new one'],
  ],
  [
    'several served versions in one shape',
    'cluster/api/kinds.test.ts',
    [
      'keeps one object in one shape, without what the stored version does not know',
      'loses what only the stored version knows when it is written in another',
    ],
  ],
  [
    'versions that were stored stay in their definition',
    'cluster/api/kinds.test.ts',
    ['keeps every version that was ever stored'],
  ],
  [
    'managers of several versions, and what has no type in one of them',
    'cluster/api/kinds.test.ts',
    [
      'forgets all managers where a field has no type in the version of one of them',
      'refuses to apply what has no type in the version that was applied last',
    ],
  ],
  [
    'composed resources whose Composition names another served version',
    'cluster/crossplane/versions.test.ts',
    [
      'keeps the object, and its reference follows',
      'and a field that the version before does not have is refused until it is taken back',
      'makes every apply a write, until the circuit breaker opens',
    ],
  ],
  ["patterns are Go's: what fits", 'cluster/api/validation.test.ts', ['a pattern is read as Go reads it']],
  [
    "patterns are Go's: what is none",
    'cluster/api/rules.test.ts',
    ['that Go cannot read is refused, and its rules are not looked at'],
  ],
  [
    "rules in CEL of users' schemas, and of definitions themselves",
    'cluster/api/rules.test.ts',
    ['is held as upjet writes it', 'holds an update to the part that it changes', 'is refused'],
  ],
  [
    "CEL rules of Crossplane's own definitions, with their messages",
    'cluster/crossplane/definition.test.ts',
    ['of a pipeline step hold since v2', 'refuse conversion None, as upstream does'],
  ],
  [
    'merge patches and JSON patches',
    'cluster/api/json-patch.test.ts',
    ['drops nulls in the objects of a new list', 'cannot be carried out'],
  ],
  [
    'generateName, five letters that are no words',
    'cluster/api/storage.test.ts',
    ['gets a name of its own from generateName'],
  ],
  ['status subresource', 'cluster/api/storage.test.ts', ['does not change through the wrong subresource']],
  [
    '404, 409, 422 and 400 with reason and message',
    'cluster/api/storage.test.ts',
    ['cannot be updated from an old version', 'must be named as the request says'],
  ],
  [
    'a changed definition ends the watches of its kind; the relist tells every object again',
    'cluster/kernel/relist.test.ts',
    ['has every handler told of every object again', 'lets the next one begin there'],
  ],
  ["Kubernetes' own kinds", 'differential/recordings.test.ts', ['$name ends as it really did']],
  [
    'what makes pods says that they run',
    'cluster/api-controllers/workload-controller.test.ts',
    ['is available a second after it was written', 'a Job succeeds'],
  ],
  [
    'informer caches that lag behind the store',
    'cluster/kernel/world.test.ts',
    ['reads a cache that is behind the store until the event is delivered'],
  ],
  [
    'a cached read of a kind that is gone blocks until its deadline (NoMatch)',
    'cluster/kernel/world.test.ts',
    ['of a kind that does not exist never sync: a cached read waits its whole deadline'],
  ],
  [
    'namespaces: nothing new while they terminate, emptied, then gone',
    'cluster/api-controllers/namespace-controller.test.ts',
    ['is emptied and goes; other namespaces keep what they have'],
  ],
  [
    'definitions that come and go under living objects',
    'cluster/api-controllers/crd-finalizer.test.ts',
    ['takes its objects along and is gone within moments', 'waits for the finalizers of its objects'],
  ],
  [
    'finalizers, propagation policies, preconditions',
    'cluster/api/deleting.test.ts',
    ['a policy that takes the last finalizer away fails a precondition on the version'],
  ],
];

export const ofOwnerGc: readonly Shown[] = [
  [
    'background, foreground, orphan',
    'cluster/owner-gc/owner-gc.test.ts',
    [
      'deletes the dependents of an owner that was deleted in the background',
      'keeps an owner that is deleted in the foreground until what blocks it is gone',
      'orphans: takes the reference off the dependents and lets them live',
    ],
  ],
  [
    'blockOwnerDeletion',
    'cluster/owner-gc/owner-gc.test.ts',
    ['does not wait in the foreground for dependents that do not block'],
  ],
  [
    'several owners, dangling ones',
    'cluster/owner-gc/owner-gc.test.ts',
    ['takes only the dangling reference off an object that has another owner'],
  ],
  [
    'back-off after the denial of a webhook',
    'cluster/owner-gc/denied-deletes.test.ts',
    ['comes back after ever longer waits, and works once the Usage is gone'],
  ],
  [
    'kinds are discovered every 30 s',
    'cluster/owner-gc/owner-gc.test.ts',
    ['cannot ask for an owner of a kind younger than its REST mapper, and can after the next look'],
  ],
];

export const ofCrossplane: readonly Shown[] = [
  [
    'XRDs: establish, offer, delete',
    'cluster/crossplane/definition.test.ts',
    ['an XRD is established with the kind of its controller in status', 'claims are deleted one by one with their XRD'],
  ],
  [
    'an XRD of another name than its kind’s: never established',
    'harness/scenario/refused-names.test.ts',
    ['a definition of another name is never established, and its XR cannot be made'],
  ],
  [
    'which Composition: named, enforced, default, by label',
    'cluster/crossplane/definition.test.ts',
    ['is the one its XRD enforces, whatever it names', 'is one with the labels it asks for'],
  ],
  [
    'revisions: Automatic, Manual, selector',
    'cluster/crossplane/revisions.test.ts',
    [
      'an XR with policy Manual stays on its revision',
      'an XR with a revision selector takes the latest revision with these labels',
    ],
  ],
  [
    'required resources: up to five more calls, seeded, by the step',
    'cluster/crossplane/functions.test.ts',
    [
      'that never settle end the reconcile after six calls, under v1.16 after five',
      'named by the pipeline step are there in the first call',
    ],
  ],
  [
    'extra resources, the older name',
    'cluster/crossplane/functions.test.ts',
    ['asked for by their name of v2 are not heard of before v2'],
  ],
  [
    'results, conditions, readiness of functions',
    'cluster/crossplane/functions.test.ts',
    [
      'results are events of the XR with the step in front',
      'are on the XR since v1.17, but for those of Crossplane itself',
    ],
  ],
  [
    'a function that is upgraded in the middle of a story',
    'harness/scenario/function-upgrade.test.ts',
    [
      'answers as its new package and back',
      'has one revision of each package',
      'cannot be called where somebody has to activate the revision, until that is done',
    ],
  ],
  [
    'managed kinds that become active in the middle of a story',
    'cluster/crossplane/managed-definitions.test.ts',
    [
      'comes with a policy and goes with its definition',
      'becomes active by hand, and cannot be inactive again',
      'is made again by its definition',
    ],
  ],
  [
    'a referenceable version that moves while XRs live, and a backup from before',
    'harness/scenario/versions.test.ts',
    ['an XR follows the referenceable version, and its backup from before'],
  ],
  [
    'fatal results',
    'cluster/crossplane/functions.test.ts',
    ['a fatal result stops the pipeline; what was composed stays as it is'],
  ],
  [
    'an invalid composed resource',
    'cluster/crossplane/status.test.ts',
    ['an invalid composed resource leaves the others alone and unsyncs the XR'],
  ],
  [
    'connection details of legacy XRs and claims',
    'cluster/crossplane/connection.test.ts',
    ['holds what functions say, is the XR’s own, and is dated in its status'],
  ],
  [
    'time to live of a response',
    'cluster/crossplane/functions.test.ts',
    ['the shortest time to live decides when the XR is reconciled again'],
  ],
  [
    'poll interval with jitter',
    'cluster/crossplane/intervals.test.ts',
    ['an XR may ask for its own poll interval since v2'],
  ],
  [
    'requeue and back-off',
    'cluster/crossplane/composed-gc.test.ts',
    ['is tried again by the work queue of its version'],
  ],
  ['pause of claims and XRs', 'cluster/crossplane/claims.test.ts', ['a paused claim does nothing, not even go']],
  [
    'claims: binding, deletion in the background and the foreground',
    'cluster/crossplane/claims.test.ts',
    [
      'a claim does not touch an XR that is bound to another',
      'with policy Foreground waits until XR and composed resources are gone, and asks once',
    ],
  ],
  ['nested XRs', 'cluster/crossplane/functions.test.ts', ['an XR that composes another XR']],
  [
    "Kubernetes' own kinds composed directly",
    'harness/scenario/native.test.ts',
    ['says which changes their API server refuses', 'takes them over again after a restore'],
  ],
  [
    'random order of Go maps from the seed',
    'cluster/crossplane/composed-gc.test.ts',
    ['has no order: by the luck of a Go map'],
  ],
  [
    'names',
    'cluster/crossplane/names.test.ts',
    ['is the parent and twelve digits', 'an explicit name is found again by server-side apply'],
  ],
  [
    'composed GC: label strip, abort at the first error',
    'cluster/crossplane/composed-gc.test.ts',
    ['strips the labels first, and sends a bare DELETE', 'stops the whole XR and says so nowhere'],
  ],
  [
    'circuit breaker',
    'cluster/crossplane/engine/breaker.test.ts',
    ['is throttled under %s, says so, and can still be deleted'],
  ],
  [
    'Usages: three kinds, selectors, `by` absent',
    'cluster/crossplane/usage.test.ts',
    [
      'resolves selectors once',
      'labels the used before it looks for the using, so that an absent `by` protects for ever',
    ],
  ],
  ['the webhook of Usages', 'cluster/crossplane/usage-admission.test.ts', ['counts Usages of every kind']],
  [
    'watch engine and its garbage collector',
    'cluster/crossplane/engine.test.ts',
    [
      'is never reconciled under 1.19: the collector has stopped the watch of XRs',
      'deleting the XRD right after kills 1.19',
    ],
  ],
  [
    'dependency tracker',
    'cluster/crossplane/engine/tracker.test.ts',
    ['kinds are watched once, and no more when the last XR that needs them is forgotten'],
  ],
];

export const ofProviders: readonly Shown[] = [
  [
    'the order of one managed reconcile',
    'cluster/provider/managed.test.ts',
    ['is observed, finalized, announced, created, recorded: in this order'],
  ],
  [
    'create annotations and what they survive',
    'cluster/provider/managed.test.ts',
    ['are written again after a conflict', 'is refused without looking at the cloud'],
  ],
  [
    'external names of asynchronous creates',
    'cluster/provider/async-client.test.ts',
    ['is never written where it does not: Ready, Synced, and known to memory alone'],
  ],
  [
    'one external resource under two kinds; names of another format',
    'cluster/provider/two-kinds.test.ts',
    ['the second observes what the first made, and makes nothing', 'leads nowhere, and all policies make a second one'],
  ],
  [
    'managementPolicies and deletionPolicy',
    'cluster/provider/policies.test.ts',
    [
      'a set that no provider supports is invalid and names itself',
      'loses to policies that say Delete in so many words',
    ],
  ],
  ['pause', 'cluster/provider/managed.test.ts', ['paused by annotation or by empty policies says so and waits']],
  [
    'restarts at every point',
    'cluster/provider/crash-stories.test.ts',
    ['before the cloud was asked: refuses for ever', 'without LateInitialize, long after all was well'],
  ],
  [
    'ProviderConfigs that are deleted while they are used',
    'harness/scenario/configs.test.ts',
    [
      'stays until the managed resource is gone',
      'goes before the managed resource that is deleted in the foreground',
      'keeps the provider from connecting when it goes, if the story has it',
    ],
  ],
  [
    "the cloud's counters and latencies",
    'cluster/cloud/cloud-ledger.test.ts',
    ['take effect when they are answered, and count only then'],
  ],
  [
    'Velero: what is kept and left out, order, policy for what exists',
    'cluster/backup/velero.test.ts',
    [
      'keeps labels, annotations, finalizers and spec; drops owners, status and the old identity',
      'is CRDs, then core kinds, then the rest by name',
    ],
  ],
  [
    'etcd and GitOps restores',
    'cluster/backup/other-tools.test.ts',
    ['brings back every object as it was, uid and owners included', 'has what people wrote and nothing Crossplane did'],
  ],
];

/** Facts that contradict common belief about a real control plane. */
export const surprises: readonly Shown[] = [
  [
    'a dropped resource without controller reference is orphaned for ever, the XR green',
    'cluster/crossplane/composed-gc.test.ts',
    ['lives on as an orphan under %s, and the XR is green'],
  ],
  [
    'pausing does not make a restore safe',
    'cluster/crossplane/composed-gc.test.ts',
    ['pausing the XR does not protect it'],
  ],
  [
    'kept owner references are worse: collected at once',
    'cluster/crossplane/composed-gc.test.ts',
    ['restored owner references of the old uid are worse'],
  ],
  [
    "generated names follow from the XR's uid: all is there twice after a restore",
    'cluster/crossplane/names.test.ts',
    ['after a restore without resourceRefs the new uid gives new names'],
  ],
  [
    'a Usage with a living `by` only loses its dangling owner',
    'cluster/owner-gc/owner-gc.test.ts',
    ['takes only the dangling reference off an object that has another owner'],
  ],
  [
    'a standalone Usage that goes replays an old denied delete',
    'cluster/crossplane/usage.test.ts',
    ['deletes the used object two seconds after the Usage, however long ago the attempt was'],
  ],
  [
    'a denied delete is a silent conflict that stops the XR',
    'cluster/crossplane/composed-gc.test.ts',
    ['stops the whole XR and says so nowhere'],
  ],
  [
    'Usage, used and using dropped at once: no order',
    'cluster/crossplane/composed-gc.test.ts',
    ['dropping a used resource, its user and their Usage in one edit'],
  ],
  [
    'one missing annotation stops the whole XR',
    'cluster/crossplane/status.test.ts',
    ['a composed resource without its annotation stops the whole XR, for ever'],
  ],
  [
    'the XRD of a namespaced kind with an XR is never gone',
    'cluster/crossplane/definition.test.ts',
    ['deleting the XRD of a namespaced kind with an XR never ends'],
  ],
  [
    'a key that changes from a cluster-scoped to a namespaced kind wedges the XR',
    'cluster/crossplane/kinds-that-are-not.test.ts',
    ['and wedges it for good under %s'],
  ],
  [
    'a kind that was never installed is an error at once',
    'cluster/crossplane/kinds-that-are-not.test.ts',
    ['and says so at once under %s'],
  ],
  [
    'a Composition for another kind composes nothing, of v2 XRs neither',
    'cluster/crossplane/kinds-that-are-not.test.ts',
    ['composes nothing under %s'],
  ],
  [
    'a cluster-scoped Usage of a namespaced kind can never be deleted',
    'cluster/crossplane/usage.test.ts',
    ['can be made and never deleted'],
  ],
  [
    'a status the schema refuses leaves an XR without conditions',
    'cluster/crossplane/status.test.ts',
    ['leaves a new XR without any condition under %s'],
  ],
  [
    'an XRD that loses its referenceable version looks well',
    'cluster/crossplane/definition.test.ts',
    ['keeps its status: its CRD is refused'],
  ],
  [
    'one resource without a kind stops all others',
    'cluster/crossplane/kinds-that-are-not.test.ts',
    ['makes a reference that is refused, so nothing is applied'],
  ],
  [
    'an informer of a vanished kind blocks the worker',
    'cluster/crossplane/engine.test.ts',
    ['the XR’s worker blocks two minutes on a cached read under main'],
  ],
  [
    "adoption wipes everybody's managed fields",
    'cluster/crossplane/status.test.ts',
    ['adoption after a restore wipes the managed fields of everybody'],
  ],
  [
    'status flaps',
    'cluster/crossplane/status.test.ts',
    ['since v2 carries those the reconcile read, so a stale cache puts old ones back for a moment'],
  ],
  [
    'a new revision fails for a moment',
    'cluster/crossplane/revisions.test.ts',
    ['makes the XR fail for a moment since v2'],
  ],
  [
    'children of a young kind are leaked',
    'cluster/crossplane/definition.test.ts',
    ['is leaked for ever while the kinds are too young for that'],
  ],
  [
    'a kind that the new package of a provider lacks stays, without a controller',
    'cluster/crossplane/providers.test.ts',
    [
      'keeps a kind that its new package has no more, without care',
      'keeps it after its revision is gone from the history, too',
    ],
  ],
  [
    'a deleted Provider leaves its objects deleting for ever',
    'cluster/crossplane/providers.test.ts',
    ['leaves its objects deleting for ever', 'cannot come again while its kinds are going'],
  ],
  [
    'under the activation policy Manual nothing runs after an upgrade',
    'cluster/crossplane/providers.test.ts',
    ['runs nothing between the upgrade and the activation'],
  ],
  [
    'a package that leaves out a stored version is refused, whole before v2 and kind by kind since',
    'cluster/crossplane/providers.test.ts',
    ['runs as neither', 'is healthy and runs without the kind'],
  ],
  [
    'an upgrade in the middle of an asynchronous create makes a second external resource',
    'cluster/crossplane/providers.test.ts',
    ['take along what an asynchronous client knew, so what was being made is made once more'],
  ],
  [
    "the owner GC's first delete fails by its own resourceVersion",
    'cluster/owner-gc/denied-deletes.test.ts',
    ['fails on its resourceVersion first'],
  ],
];

/** Differences between versions of Crossplane, each shown on both sides. */
export const ofProfiles: readonly Shown[] = [
  [
    'ownerlessUndesired',
    'cluster/crossplane/composed-gc.test.ts',
    ['lives on as an orphan under %s', 'is deleted under %s'],
  ],
  ['foreignUndesired', 'cluster/crossplane/composed-gc.test.ts', ['is left alone by v1.16 and refused since']],
  ['composedLabels', 'cluster/crossplane/composed-gc.test.ts', ['v1.16 leaves the labels', 'strips the labels first']],
  [
    'composedDelete',
    'cluster/crossplane/composed-gc.test.ts',
    ['sends a bare DELETE', 'deletes in the foreground and names the uid it means'],
  ],
  ['reads', 'cluster/crossplane/engine.test.ts', ['v1.16 reads live', 'blocks two minutes on a cached read']],
  ['composedNames', 'cluster/crossplane/names.test.ts', ['gets a new random name under %s', 'keeps its name under %s']],
  [
    'generateName',
    'cluster/crossplane/names.test.ts',
    ['before v2 a composed resource has the XR’s generateName even where its name is given'],
  ],
  [
    'composedClaimLabels',
    'cluster/crossplane/status.test.ts',
    ['claim labels on composed resources are empty strings before v2 and absent since'],
  ],
  ['invalidNames', 'harness/scenario/refused-names.test.ts', ['stands in the references of the XR first before v2']],
  [
    'referencesError',
    'harness/scenario/refused-names.test.ts',
    ['references that the definition refuses are told in the words of %s'],
  ],
  ['definitionApi', 'cluster/crossplane/definition.test.ts', ['of a pipeline step hold since v2']],
  ['fixedFields', 'cluster/crossplane/revisions.test.ts', ['type is fixed since v1.17']],
  [
    'selectRevision',
    'cluster/crossplane/revisions.test.ts',
    ['with a merge patch of the whole XR before v1.20, with an update after'],
  ],
  [
    'statusApply',
    'cluster/crossplane/status.test.ts',
    ['before v2 carries no conditions', 'since v2 carries those the reconcile read'],
  ],
  [
    'statusUpdate',
    'cluster/crossplane/status.test.ts',
    ['updates the status all the same before v2', 'leaves the status alone since v2'],
  ],
  ['observedGeneration', 'cluster/crossplane/xr-crd.test.ts', ['conditions know observedGeneration since v2']],
  ['functionConditions', 'cluster/crossplane/functions.test.ts', ['are on the XR since v1.17', 'are ignored by v1.16']],
  [
    'revisionConditions',
    'cluster/crossplane/revisions.test.ts',
    ['makes the XR fail for a moment since v2', 'is used at once before v2, and has no conditions'],
  ],
  [
    'revisionEvents',
    'cluster/crossplane/revisions.test.ts',
    ['reaches XRs only with their next poll under %s', 'reaches them at once under %s'],
  ],
  [
    'composedEvents',
    'cluster/crossplane/engine.test.ts',
    ['only updates wake the XR', 'is made again at once under %s'],
  ],
  ['engine', 'cluster/crossplane/engine.test.ts', ['is never reconciled under 1.19', '1.20 survives the same']],
  ['realtimeByDefault', 'cluster/crossplane/engine.test.ts', ['waits for the poll without realtime']],
  [
    'realtimeRestart',
    'cluster/crossplane/engine.test.ts',
    ['reconciles no XR of a kind that was there before', 'does without them'],
  ],
  [
    'realtimePolling',
    'cluster/crossplane/status.test.ts',
    [
      'is ready when the pipeline’s resources are, with realtime compositions at once',
      'backs off from one second on without realtime compositions',
    ],
  ],
  ['circuitBreaker', 'cluster/crossplane/engine/breaker.test.ts', ['is throttled under %s', 'is not under 1.20']],
  [
    'definitionRestart',
    'cluster/crossplane/definition.test.ts',
    ['restarts the XR controller since v2', 'does not before, unless the referenceable version changes'],
  ],
  [
    'managedDefinitions',
    'cluster/crossplane/managed-definitions.test.ts',
    ['comes with a policy and goes with its definition', 'is refused before v2 in one sentence'],
  ],
  [
    'packageRevisions',
    'cluster/crossplane/providers.test.ts',
    [
      'takes its old revision up again where it moves back before main',
      'gets another revision on main for any change of its spec',
    ],
  ],
  ['deletedPackages', 'cluster/crossplane/providers.test.ts', ['gets revisions anew until it is gone, but on main']],
  ['packageHealth', 'cluster/crossplane/providers.test.ts', ['tells its health by the conditions of %s']],
  [
    'idleProviders',
    'cluster/crossplane/providers.test.ts',
    ['has no kind until one is active, and on main no pod either'],
  ],
  [
    'claimSync',
    'cluster/crossplane/claims.test.ts',
    ['v1.16 creates and patches the XR and writes its update policy back; later versions apply it'],
  ],
  [
    'functionService',
    'cluster/crossplane/functions.test.ts',
    ['v1.16 finds functions through FunctionRevisions of v1beta1'],
  ],
  [
    'operations',
    'cluster/crossplane/operations.test.ts',
    ['is left alone by a Crossplane without the flag', 'is no kind before v2'],
  ],
  [
    'requirements',
    'cluster/crossplane/functions.test.ts',
    ['asked for by their name of v2 are not heard of before v2'],
  ],
  ['callsPerStep', 'cluster/crossplane/functions.test.ts', ['after six calls, under v1.16 after five']],
  [
    'seededRequirements',
    'cluster/crossplane/functions.test.ts',
    ['are known from the last time on main, so one call does; 2.3 calls twice every time'],
  ],
  ['capabilities', 'cluster/crossplane/functions.test.ts', ['requests name the capabilities of Crossplane since v2.2']],
  ['workQueue', 'cluster/crossplane/composed-gc.test.ts', ['is tried again by the work queue of its version']],
  [
    'environmentConfigs',
    'harness/scenario/kinds-of-crossplane.test.ts',
    ['on %s: %o', '%s does not serve another version'],
  ],
  ['idleKinds', 'harness/scenario/kinds-of-crossplane.test.ts', ['on %s: %o', '%s does not serve another version']],
  ['usages.kinds', 'cluster/crossplane/usage-admission.test.ts', ['counts Usages of every kind']],
  ['usages.webhook', 'cluster/crossplane/usage-admission.test.ts', ['spoke of Usage(s) before v2']],
  ['usages.denial', 'cluster/crossplane/usage-admission.test.ts', ['spoke of Usage(s) before v2']],
  [
    'usages.waitsForBy',
    'cluster/crossplane/usage.test.ts',
    [
      'goes at once without the composite label, although `by` lives',
      'waits for `by` whatever its labels before crossplane e5ecd0aac',
    ],
  ],
  [
    'usages.ownerCheck',
    'cluster/crossplane/usage.test.ts',
    ['is written again and again where only the first owner is looked at'],
  ],
  [
    'usages.indexSeparator',
    'cluster/crossplane/usage-admission.test.ts',
    ['confuses names with dots before crossplane 7b436bd78'],
  ],
  [
    'usages.resolvedEnds',
    'cluster/crossplane/usage.test.ts',
    ['panics since v2, once, and the next one goes on', 'just goes on before v2'],
  ],
  ['usages.observedGeneration', 'cluster/crossplane/usage.test.ts', ['says nothing of the generation before v2']],
];
