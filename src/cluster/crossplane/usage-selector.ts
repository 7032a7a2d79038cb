// Selectors of a Usage are resolved once: the name found is written into resourceRef and never looked for again, so a
// Usage stays with the object it found first. `of` and `by` are two Updates.
// Source: crossplane/crossplane 2d040d2da internal/controller/protection/usage/selector.go.
// Where several objects match upstream takes the first of a live list, which the API server sorts by namespace and name.

import {type Step, throughClient} from '../kernel/call.ts';
import {haveSameController, type KubeObject} from '../object.ts';
import {update} from './client.ts';
import {failed, failedWith, failureOf, type Result, success, wrap, wrapped} from './failure.ts';
import {type UsageEnd, type UsageSelector, usedOf, usingOf, withResolved} from './usage-object.ts';

/** The Usage with both ends named, or why one is not. Errors leave what was already written. */
export function* resolveSelectors(usage: KubeObject): Step<Result<KubeObject>> {
  const of = usedOf(usage);
  const used = of.name === undefined ? yield* resolve(usage, 'of', of) : success(usage);
  if (!used.ok) return used;
  const by = usingOf(used.value);
  return by === undefined || by.name !== undefined ? used : yield* resolve(used.value, 'by', by);
}

function* resolve(usage: KubeObject, which: 'of' | 'by', end: UsageEnd): Step<Result<KubeObject>> {
  const found = yield* select(usage, end);
  if (!found.ok) return wrapped(`cannot resolve selector at "spec.${which}.resourceSelector"`, found);
  const {name, namespace} = found.value.metadata;
  // The namespace is kept only if it is not the Usage's own; '' stands for an object without one.
  const foreign = namespace === usage.metadata.namespace ? undefined : (namespace ?? '');
  const next = withResolved(usage, which, name, foreign);
  return wrapped('cannot update usage after resolving selector', yield* update(next));
}

function* select(usage: KubeObject, end: UsageEnd): Step<Result<KubeObject>> {
  const {selector, apiVersion, kind} = end;
  if (selector === undefined) return failed('no selector defined for resolving');
  const namespace = selector.namespace ?? usage.metadata.namespace;
  const scope = namespace === undefined || namespace === '' ? {} : {namespace};
  const labels = {selector: {matchLabels: selector.matchLabels}};
  const response = yield* throughClient({verb: 'list', apiVersion, kind, ...scope, ...labels});
  if (!response.ok) {
    return failedWith(wrap('cannot list resources matching labels', failureOf(response)));
  }
  const items = response.items ?? [];
  const none = `no ${JSON.stringify(kind)} found matching labels: ${printLabels(selector)}`;
  if (items.length === 0) return failed(none);
  const match = items.find((item) => !selector.matchControllerRef || haveSameController(item, usage));
  return match === undefined ? failed(`${none} and with same controller reference`) : success(match);
}

// As Go prints a map with %q: keys sorted.
function printLabels({matchLabels}: UsageSelector): string {
  const pairs = Object.keys(matchLabels).sort();
  return `map[${pairs.map((key) => `${JSON.stringify(key)}:${JSON.stringify(matchLabels[key])}`).join(' ')}]`;
}
