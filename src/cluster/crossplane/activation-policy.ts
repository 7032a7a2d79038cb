// The reconciler of ManagedResourceActivationPolicies: activates every ManagedResourceDefinition that a pattern of the
// policy matches. Nothing is ever inactive again: neither a policy that goes nor one that changes takes anything back.
// crossplane/crossplane 2d040d2da internal/controller/apiextensions/activationpolicy/reconciler.go, watch.go;
// apis/apiextensions/v1alpha1/mrd_policy_types.go (patterns are those of Go's filepath.Match). The same in v2.3.4.

import type {Json} from '../json.ts';
import {done, type Reconcile, type Step, throughClient} from '../kernel/call.ts';
import {isDeleting, type KubeObject, refOf} from '../object.ts';
import {isPaused, kindActivationPolicy, kindManagedDefinition, managerCrossplane} from '../vocabulary.ts';
import {listCached} from './client.ts';
import {type Mark, withGeneration} from './conditions.ts';
import {objectOf, type Result, record, retryAfter, success, wrap} from './failure.ts';
import {ending, reconciles, writeMarks} from './reconciler.ts';

const healthy: Mark = {type: 'Healthy', status: 'True', reason: 'Running'};
const terminating: Mark = {
  type: 'Established',
  status: 'False',
  reason: 'TerminatingManagedResourceActivationPolicy',
};

export function reconcileActivationPolicy(): (key: string) => Reconcile {
  return reconciles(kindActivationPolicy, 'ManagedResourceActivationPolicy', function* (policy) {
    if (!isDeleting(policy) && isPaused(policy)) {
      yield* record(policy, 'Normal', 'ReconciliationPaused', 'Reconciliation is paused via the pause annotation');
      return done;
    }
    const next = isDeleting(policy) ? success({policy, mark: terminating}) : yield* activate(policy);
    if (!next.ok) return retryAfter(wrap('cannot list ManagedResourceDefinition', next.failure));
    const written = yield* writeMarks(next.value.policy, [next.value.mark], withGeneration);
    return ending(written, 'cannot update status of ManagedResourceActivationPolicy');
  });
}

interface Activation {
  readonly policy: KubeObject;
  readonly mark: Mark;
}

function* activate(policy: KubeObject): Step<Result<Activation>> {
  const mrds = yield* listCached(kindManagedDefinition);
  if (!mrds.ok) return mrds;
  const activated: string[] = [];
  let refused = 0;
  for (const mrd of mrds.value.filter(({metadata}) => activates(policy, metadata.name))) {
    if (mrd.spec?.['state'] !== 'Active') {
      const body: Json = {spec: {state: 'Active'}};
      const request = {verb: 'patch', type: 'merge', ref: refOf(mrd), body, manager: managerCrossplane} as const;
      const patched = objectOf(yield* throughClient(request));
      if (!patched.ok) {
        refused += 1;
        yield* record(policy, 'Warning', 'ActivateManagedResourceDefinition', patched.failure.message);
        continue;
      }
      const message = 'Successfully activated ManagedResourceDefinition';
      yield* record(policy, 'Normal', 'ActivateManagedResourceDefinition', message);
    }
    activated.push(mrd.metadata.name);
  }
  const message = `failed to activate ${refused} of ${activated.length} ManagedResourceDefinitions`;
  const mark: Mark =
    refused === 0 ? healthy : {type: 'Healthy', status: 'Unknown', reason: 'EncounteredErrors', message};
  // An empty list is left out, as Go does it.
  const {activated: _, ...status} = policy.status ?? {};
  const listed = activated.length === 0 ? status : {...status, activated: activated.sort()};
  return success({policy: {...policy, status: listed}, mark});
}

/** True if a pattern of the policy matches the definition of this name. */
export function activates(policy: KubeObject, name: string): boolean {
  const patterns = (policy.spec?.['activate'] ?? []) as readonly string[];
  return patterns.some((pattern) => patternOf(pattern)?.test(name) === true);
}

/** Undefined for a pattern that Go refuses: it matches nothing. */
function patternOf(pattern: string): RegExp | undefined {
  const pieces = /\\(?<escaped>.)|(?<any>\*)|(?<one>\?)|\[(?<set>\^?(?:\\.|[^\\\]])+)\]|(?<plain>[^\\[])|(?<bad>.)/gsu;
  let source = '';
  for (const {groups = {}} of pattern.matchAll(pieces)) {
    if (groups['bad'] !== undefined) return undefined;
    if (groups['any'] !== undefined) source += '[^/]*';
    else if (groups['one'] !== undefined) source += '[^/]';
    else if (groups['set'] !== undefined) source += `[${groups['set'].replaceAll('[', String.raw`\[`)}]`;
    else source += (groups['escaped'] ?? groups['plain'] ?? '').replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  }
  return new RegExp(`^${source}$`, 's');
}
