// The reconciler of ManagedResourceDefinitions: creates the CustomResourceDefinition of an active one. The definition owns it but
// does not control it. So if the definition is deleted, the owner GC deletes the kind and all its objects.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/managed/reconciler.go, crd.go, the same in v2.3.4.
//
// Not modelled: managed fields of a CustomResourceDefinition that an older package manager wrote, which upstream upgrades first;
// the alpha ClusterUsages that keep a provider, which are off unless switched on.

import {at, isList, isObject, type JsonObject} from '../json.ts';
import {done, type Outcome, type Reconcile, type Step} from '../kernel/call.ts';
import {asOwner, controllerOf, isDeleting, isTrue, type KubeObject, type OwnerReference} from '../object.ts';
import {isPaused, kindCrd, kindManagedDefinition, managerManaged} from '../vocabulary.ts';
import {apply, getCached} from './client.ts';
import {type Mark, withGeneration} from './conditions.ts';
import {type Failure, record, retryAfter, wrap} from './failure.ts';
import {ending, reconciles, writeMarks} from './reconciler.ts';

const established: Mark = {type: 'Established', status: 'True', reason: 'EstablishedManagedResource'};
const pending: Mark = {type: 'Established', status: 'Unknown', reason: 'PendingManagedResource'};
const inactive: Mark = {type: 'Established', status: 'False', reason: 'InactiveManagedResource'};
const terminating: Mark = {type: 'Established', status: 'False', reason: 'TerminatingManagedResource'};

function blocked(message: string): Mark {
  return {type: 'Established', status: 'False', reason: 'PendingManagedResource', message};
}

export function reconcileManagedDefinition(): (key: string) => Reconcile {
  return reconciles(kindManagedDefinition, 'ManagedResourceDefinition', function* (mrd) {
    if (isDeleting(mrd)) return yield* endWithCondition(mrd, terminating);
    if (isPaused(mrd)) {
      yield* record(mrd, 'Normal', 'ReconciliationPaused', 'Reconciliation is paused via the pause annotation');
      return done;
    }
    return mrd.spec?.['state'] === 'Active' ? yield* establish(mrd) : yield* endWithCondition(mrd, inactive);
  });
}

function* establish(mrd: KubeObject): Step<Outcome> {
  const known = yield* getCached({...kindCrd, name: mrd.metadata.name});
  if (!known.ok) return yield* refused(mrd, 'Reconcile', 'get', known.failure);
  const applied = yield* apply(managedCrd(mrd), managerManaged);
  if (!applied.ok) return yield* refused(mrd, 'ApplyCustomResourceDefinition', 'apply', applied.failure);
  yield* record(mrd, 'Normal', 'ApplyCustomResourceDefinition', 'Successfully applied CustomResourceDefinition');
  return yield* endWithCondition(mrd, isTrue(applied.value, 'Established') ? established : pending);
}

/** Ends a failed reconcile. The condition points to the event, which has the error. */
function* refused(mrd: KubeObject, reason: string, verb: 'get' | 'apply', failure: Failure): Step<Outcome> {
  yield* record(mrd, 'Warning', reason, failure.message);
  yield* endWithCondition(mrd, blocked(`unable to ${verb} CustomResourceDefinition, see events`));
  return retryAfter(wrap(`cannot ${verb} CustomResourceDefinition`, failure));
}

function* endWithCondition(mrd: KubeObject, mark: Mark): Step<Outcome> {
  return ending(yield* writeMarks(mrd, [mark], withGeneration), 'cannot update status of ManagedResourceDefinition');
}

/** Contains only fields of the definition, since the applier owns all that it applies. */
function managedCrd(mrd: KubeObject): KubeObject {
  const spec = mrd.spec ?? {};
  const kept = ['group', 'scope', 'names', 'conversion', 'preserveUnknownFields'].filter((key) => key in spec);
  const versions = isList(spec['versions']) ? spec['versions'].filter(isObject) : [];
  const byName = versions.toSorted((left, right) => (String(left['name']) < String(right['name']) ? -1 : 1));
  return {
    ...kindCrd,
    metadata: {name: mrd.metadata.name, ownerReferences: owners(mrd)},
    spec: {...Object.fromEntries(kept.map((key) => [key, spec[key] ?? null])), versions: byName.map(version)},
  };
}

function owners(mrd: KubeObject): readonly OwnerReference[] {
  const controller = controllerOf(mrd);
  return controller === undefined ? [asOwner(mrd)] : [asOwner(mrd), controller];
}

function version(one: JsonObject): JsonObject {
  const {subresources, ...rest} = one;
  const status = at(subresources, ['status']) === undefined ? {} : {status: {}};
  const scale = at(subresources, ['scale']);
  if (subresources === undefined) return rest;
  return {...rest, subresources: {...status, ...(scale === undefined ? {} : {scale})}};
}
