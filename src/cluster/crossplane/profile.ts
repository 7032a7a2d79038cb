// Differences between versions of Crossplane, as named behaviours. A version is a record of these and nothing else: reconcilers ask
// for a behaviour, never for a version. The values of the recorded versions are in profiles.ts.
//
// Not modelled: native patch-and-transform composition (gone in v2, refused by native-mode.ts); because no recorded story depends
// on it, external secret stores, environment configs outside functions, RBAC, packages but Functions' and Providers'.

import type {FunctionService} from '../kernel/call.ts';
import type {GroupVersionKind} from '../object.ts';

export interface Profile {
  readonly version: string;

  /**
   * Composed GC of an observed resource that is not desired and has no controller reference.
   * `skip` orphans it: resourceRefs forget it in the same reconcile. crossplane#5876 made it `delete` (v1.15.5, v1.16.2,
   * v1.17.0), crossplane#7627 (7cf3aa83d, after v2.3.4) made it `skip` again.
   */
  readonly ownerlessUndesired: 'skip' | 'delete';
  /**
   * The same where another object controls the resource. The observer hides such a resource, so this is reached only by
   * a race. `refuse` fails the reconcile: `refusing to delete composed resource "B" that is controlled by XApp "y"`.
   */
  readonly foreignUndesired: 'skip' | 'refuse';
  /** Composed GC strips the composite and claim labels first: crossplane#6155 (v1.18.2, v1.19.0). */
  readonly composedLabels: 'keep' | 'strip';
  /** Options of composed GC's DELETE: `foreground-uid` since crossplane#6599 (v2.2.0). */
  readonly composedDelete: 'plain' | 'foreground-uid';
  /** How an undesired composed resource is read: the engine's cache came with v1.17, the second look with v1.18. */
  readonly reads: 'live' | 'cache-then-live';
  /** `uid-hash`: sha256(XR uid + resource name), so the same for the life of the XR: crossplane#6630 (v2.0.0). */
  readonly composedNames: 'random' | 'uid-hash';
  /** The generateName applied: always the XR's prefix, or the observed or desired one (v2.0.0 on). */
  readonly generateName: 'always-prefix' | 'observed-or-prefix';
  /** Claim labels on composed resources: `always` sets them to "" where there is no claim (before v2.0.0). */
  readonly composedClaimLabels: 'always' | 'with-claim';
  /**
   * A composed resource whose name is no RFC 1123 subdomain. `applied`: the XR's references have it before the API server
   * refuses it. `refused`: the reconcile fails first (crossplane 5a84b21de, v2.0.0 on).
   */
  readonly invalidNames: 'applied' | 'refused';
  /** The error of a failed write of the XR's references: reworded in v2.0.0. */
  readonly referencesError: string;
  /** Versions of the XRD API; with v2 came scopes, spec.crossplane and Compositions that are always pipelines. */
  readonly definitionApi: 'v1' | 'v1-and-v2';
  /** Changes of an XRD's names and a Composition's compositeTypeRef: CEL rules forbid them since v1.17. */
  readonly fixedFields: 'changeable' | 'immutable';

  /** How the XR's new compositionRevisionRef is written: a merge patch of the whole XR before v1.20. */
  readonly selectRevision: 'patch' | 'update';
  /** The status apply repeats the conditions that the reconcile read, which makes them flap (v2.0.0 on). */
  readonly statusApply: 'without-conditions' | 'with-conditions';
  /** `when-changed` compares with what the reconcile read (v2.0.0 on). */
  readonly statusUpdate: 'always' | 'when-changed';
  /** Conditions carry observedGeneration (v2.0.0 on). */
  readonly observedGeneration: 'absent' | 'set';
  /** Function conditions reach the XR, and functions may set its readiness (v1.17.0 on). */
  readonly functionConditions: 'ignored' | 'applied';

  /** Conditions of CompositionRevisions: an XR may not use a revision before ValidPipeline=True (v2.1.0 on). */
  readonly revisionConditions: 'none' | 'valid-pipeline';
  /**
   * Which events of a CompositionRevision wake XRs. An edit back to older content renumbers the old revision with an
   * Update, so with `create` the XR waits for its poll (crossplane v1.20.11 definition/handlers.go).
   */
  readonly revisionEvents: 'create' | 'all';
  /** Which events of a composed resource wake its XR. With `update` a deleted one is re-created only by the poll. */
  readonly composedEvents: 'update' | 'all';

  /**
   * The engine that starts controllers and watches.
   * `informers`: v1.16, informers of composed kinds collected by what exists, XR watches are static.
   * `collects-all`: v1.17 to v1.19, the collector's minute tick stops every watch no XR references, so also those of
   * XRs and revisions (crossplane#5151, #5400), and stopping a controller starts the informer of a vanished kind, waits
   * for it and dies of a double unlock (crossplane#6396).
   * `collects-composed`: v1.20 to v2.3, crossplane#6395.
   * `tracker`: an in-memory dependency tracker decides, crossplane#7572.
   */
  readonly engine: 'informers' | 'collects-all' | 'collects-composed' | 'tracker';
  /** Realtime compositions are on by default. */
  readonly realtimeByDefault: boolean;
  /**
   * With realtime on, XR controllers of XRDs that an earlier process had established: in v1.16.1 their condition is Established,
   * but they reconcile nothing. Observed in all three recordings with such a restart (v1.16.1--a-basic-legacy-background--realtime,
   * --b-remove-legacy--realtime, --f-xrd-wait-70s), cause unknown, perhaps client-go 0.29 against kube 1.34.
   */
  readonly realtimeRestart: 'dead-controllers' | 'works';
  /**
   * Polls come at the interval itself, not up to 10 % before or after. A search identifies a time by its distance and not by the
   * date, so the date must not decide when a poll comes. Recorded versions all have the jitter.
   */
  readonly steadyPolls?: true;
  /**
   * Functions of which observers see the place in a pipeline, with the desired state of the earlier steps. `absent`: pipelines go
   * on without these steps, as if no Composition had them. Recorded versions all have none.
   */
  readonly watched?: {readonly functions: readonly string[]; readonly absent: boolean};
  /** With realtime on: keep polling and backing off all the same (v1.16, v1.19), or wait for events (v1.20 on). */
  readonly realtimePolling: 'keeps-polling' | 'off';
  /** The circuit breaker on watch events: crossplane#6884 line, v2.1.0 on. */
  readonly circuitBreaker: 'none' | 'token-bucket';
  /** When a change of the XRD restarts the XR controller: the referenceable version, or any change of spec (v2). */
  readonly definitionRestart: 'referenceable-version' | 'generation';

  /** ManagedResourceDefinitions, with the policies that activate them (v2.0.0 on). */
  readonly managedDefinitions: 'none' | 'activated';

  /**
   * The reason for a new revision of a package: another digest, or any change of its spec, too (crossplane aee49c7b1, after
   * v2.3.4). With the latter, moving back makes one more revision instead of taking the old one up again.
   */
  readonly packageRevisions: 'by-digest' | 'by-digest-and-generation';
  /** A package that is deleted in the foreground still gets its revisions (aee49c7b1 stopped it, after v2.3.4). */
  readonly deletedPackages: 'reconciled' | 'left';
  /**
   * The health conditions of a package's revision. `one`: Healthy, from the one reconciler that also runs the package. `two`:
   * RevisionHealthy, and RuntimeHealthy from a reconciler of its own (crossplane 8d44f1876, v2.0.0 on).
   */
  readonly packageHealth: 'one' | 'two';
  /** A provider that starts safely has no pod before one of its kinds is active (crossplane#7586, after v2.3.4). */
  readonly idleProviders: 'run' | 'scaled-to-zero';

  /** Operations, behind the flag --enable-operations (v2.0.0 on). */
  readonly operations: 'none' | 'behind-flag';

  /** How claims write their XR: client-side create and merge patch, or server-side apply (beta in v1.17). */
  readonly claimSync: 'client-side' | 'server-side';

  /** The gRPC service functions are called by; v1.16 knows only v1beta1. Same bytes. */
  readonly functionService: FunctionService;
  /** Requirements that functions may return: `extra` only before v2.0.0; both after. */
  readonly requirements: 'extra' | 'extra-and-required';
  /** How often a function is called at most until its requirements settle. */
  readonly callsPerStep: 5 | 6;
  /** Requirements that a step had last time are fetched before its first call (crossplane#7572). */
  readonly seededRequirements: boolean;
  /** Capabilities announced in the request: crossplane v2.2.0 on. */
  readonly capabilities: boolean;

  /**
   * The work queues of all controllers. controller-runtime v0.23 (Crossplane v2.3) made its priority queue the default;
   * before it is client-go's. Seen in the retries of a denied composed GC: after 1, 4, 8, 16 s on v1.16.1, after 0.02,
   * 4, 30 s on main.
   */
  readonly workQueue: 'delaying' | 'priority';

  readonly usages: UsageBehaviour;

  /** The versions of EnvironmentConfig: cluster/crds/apiextensions.crossplane.io_environmentconfigs.yaml. */
  readonly environmentConfigs: {readonly served: readonly string[]; readonly stored: string};
  /** Other kinds that the version serves and no controller here handles, as `apiVersion kind`: cluster/crds. */
  readonly idleKinds: readonly string[];
}

export interface UsageBehaviour {
  /** Kinds of Usage this version serves. */
  readonly kinds: readonly GroupVersionKind[];
  /** The webhook's name in `admission webhook "..." denied the request`. */
  readonly webhook: string;
  /** `short`: `1 Usage(s), including the Usage "x"`; `typed`: `1 usage(s), including the *v1beta1.Usage "x"`. */
  readonly denial: 'short' | 'typed';
  /**
   * When a Usage that is being deleted waits until its `by` is gone: with `composed` only while it still has the label
   * crossplane.io/composite. crossplane e5ecd0aac (v1.18.2, v1.19.0).
   */
  readonly waitsForBy: 'always' | 'composed';
  /** How the owner reference to `by` is looked for; `first` repeats a needless Update. crossplane#7591 (v1.20.11, v2). */
  readonly ownerCheck: 'first' | 'any';
  /** How the index of used resources joins group, kind and name: `.` confuses some. crossplane 7b436bd78 (main). */
  readonly indexSeparator: '.' | '/';
  /**
   * How a reconcile goes on that resolved a selector. `unread`: with the ends as it read them, so it dies of the nil
   * pointer and is tried again; `resolved`: with what was found. crossplane v1.20.11 and v2.3.4, usage reconciler.go (`of :=`).
   */
  readonly resolvedEnds: 'resolved' | 'unread';
  /** The Available condition carries observedGeneration (v2.0.0 on). */
  readonly observedGeneration: 'absent' | 'set';
}
