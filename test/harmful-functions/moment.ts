// Functions that harm in one moment only: a second time, beside another event, in one kind, one scope or one value.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {askedInstead, bare, type Call, isManaged, isTrue, isUsage, isXr, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';
import {remembering} from './subtle.ts';

function droppedIn({observed, desired}: Call): readonly (readonly [string, KubeObject])[] {
  return [...observed].filter(([name, one]) => !desired.has(name) && !isUsage(one) && name !== 'tether-external-names');
}

function keyOf({xr: {kind, metadata}}: Call, name: string): string {
  return `${kind} ${metadata.namespace}/${metadata.name} ${name}`;
}

function policyOf({input}: Call, name: string): unknown {
  const removal = input['removal'];
  const policies =
    isObject(removal) && isList(removal['policies']) ? (removal['policies'] as readonly JsonObject[]) : [];
  return policies.find(({match}) => {
    const resources = isObject(match) ? match['resources'] : undefined;
    return resources === undefined
      ? isObject(match) && Object.keys(match).length === 0
      : isList(resources) && resources.includes(name);
  })?.['policy'];
}

/** Changes every text of the value. */
function texts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((one) => texts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, texts(one as Json, change)]));
}

/** Texts of spec, data, labels and annotations, changed. */
function inTexts(name: string, breaks: string, story: string, change: (text: string) => string): Harmful {
  return row(name, breaks, 'unwritable', story, ({answer}) => {
    each(
      answer,
      () => true,
      (one) => {
        const {apiVersion, kind, metadata, ...body} = one;
        const {annotations} = metadata ?? {};
        const noted =
          annotations === undefined ? metadata : {...metadata, annotations: texts(annotations as Json, change)};
        return {
          apiVersion,
          kind,
          metadata: noted,
          ...(texts(body as unknown as Json, change) as JsonObject),
        } as KubeObject;
      },
    );
  });
}

const removals: readonly Harmful[] = [
  remembering(
    [
      'remakes-what-has-no-provider',
      'drops what has no provider in one call, and desires it again',
      'renamed',
      'living',
    ],
    () => new Set<string>(),
    (call, done) => {
      const {uid = ''} = call.xr.metadata;
      if (done.has(uid) || !isTrue(call.xr, 'Ready')) return;
      done.add(uid);
      for (const [name, one] of call.observed)
        if (!isManaged(one) && ['Secret', 'ConfigMap', 'Note'].includes(one.kind)) call.answer.resources.delete(name);
    },
  ),
  remembering(
    ['makes-retained-anew', 'makes what is retained anew if it is deleted', 'awaiting-approval', 'retained-deleted'],
    () => new Map<string, KubeObject>(),
    (call, known) => {
      const names = new Set([...call.observed.keys(), ...[...known.keys()].map((key) => key.split(' ').at(-1) ?? '')]);
      for (const name of names) {
        const key = keyOf(call, name);
        const one = call.observed.get(name) ?? known.get(key);
        if (one === undefined || call.desired.has(name) || policyOf(call, name) !== 'Retain') continue;
        known.set(key, one);
        if (!call.answer.resources.has(name)) call.answer.resources.set(name, {object: bare(one), ready: 'true'});
      }
    },
  ),
];

const restores: readonly Harmful[] = [
  {
    name: 'ignores-stable-names',
    breaks: 'does as if restore asked for no stable names',
    reason: 'nothing-selected',
    story: 'stable',
    wrap: (honest) =>
      askedInstead(honest, (input) => {
        if (!isObject(input['restore'])) return input;
        const {stableNames: _, ...restore} = input['restore'];
        return {...input, restore};
      }),
  },
];

const orders: readonly Harmful[] = [
  row(
    'drops-what-waits-again',
    'drops what an order has come later while what comes before is not Ready',
    'creation-order',
    'first-unavailable',
    ({input, observed, answer}) => {
      const orders = isList(input['order']) ? (input['order'] as readonly JsonObject[]) : [];
      for (const {sequence, of, by} of orders) {
        const steps = isList(sequence) ? sequence : [of ?? {}, by ?? {}];
        const names = steps.map((step) =>
          isObject(step) && isList(step['resources']) ? step['resources'].map(String) : [],
        );
        names.forEach((first, at) => {
          const isWaiting = first.some((name) => {
            const one = observed.get(name);
            return one !== undefined && isManaged(one) && !isTrue(one, 'Ready');
          });
          if (isWaiting) for (const later of names.slice(at + 1).flat()) answer.resources.delete(later);
        });
      }
    },
  ),
];

const protections: readonly Harmful[] = [
  row(
    'protects-the-first-alone',
    'protects only the first of several resources',
    'protected',
    'two-protected',
    ({answer: {resources}, xr}) => {
      const all = [...resources].filter(([, {object}]) => {
        const of = object.spec?.['of'];
        return isUsage(object) && object.spec?.['by'] === undefined && isObject(of) && of['kind'] !== xr.kind;
      });
      for (const [name] of all.slice(1)) resources.delete(name);
    },
  ),
  {
    name: 'ignores-xr-match',
    breaks: 'does as if protect had no xrMatch',
    reason: 'nothing-selected',
    story: 'xr-labelled',
    wrap: (honest) =>
      askedInstead(honest, (input) => {
        if (!isObject(input['protect'])) return input;
        const {xrMatch: _, ...protect} = input['protect'];
        return {...input, protect};
      }),
  },
];

const moves: readonly Harmful[] = [
  remembering(
    ['stays-observing', 'has a provider only observe for ever what it once only observed', 'observing', 'exchange'],
    () => new Set<string>(),
    (call, known) => {
      each(call.answer, isManaged, (one, name) => {
        if (JSON.stringify(one.spec?.['managementPolicies']) === '["Observe"]') known.add(keyOf(call, name));
        return known.has(keyOf(call, name)) ? withField(one, ['spec', 'managementPolicies'], ['Observe']) : one;
      });
    },
  ),
  row(
    'moves-without-its-password',
    'ends a move though a value in the Secret of the old object goes with it',
    'observing',
    'password',
    (call) => {
      const {resources} = call.answer;
      const externalOf = (one: KubeObject | undefined) => one?.metadata.annotations?.['crossplane.io/external-name'];
      for (const [name, old] of droppedIn(call)) {
        const kept = resources.get(name);
        const fresh = [...resources.keys()].find(
          (other) => other !== name && externalOf(call.observed.get(other)) === externalOf(old),
        );
        if (kept === undefined || fresh === undefined || !isTrue(call.observed.get(fresh) as KubeObject, 'Synced'))
          continue;
        const withPolicies = (one: KubeObject, policies: Json) =>
          withField(one, ['spec', 'managementPolicies'], policies);
        if (JSON.stringify(old.spec?.['managementPolicies']) === '["Observe"]') {
          const one = resources.get(fresh) as typeof kept;
          resources.delete(name);
          resources.set(fresh, {...one, object: withPolicies(one.object, ['*'])});
        } else resources.set(name, {...kept, object: withPolicies(kept.object, ['Observe'])});
      }
    },
  ),
];

const names: readonly Harmful[] = [
  row('leaks-in-a-name', 'names what it makes after a value that it read', 'unresolved', 'order', ({xr, answer}) => {
    each(answer, isUsage, (one) =>
      withField(one, ['metadata', 'name'], `used-${String(xr.spec?.['note'])}-${xr.metadata.name}`),
    );
  }),
  row(
    'adds-a-second-owner',
    'gives each resource the first one as an owner, too',
    'stale-controller',
    'xr-alone',
    ({observed, answer}) => {
      const [first] = [...observed].filter(([, one]) => isManaged(one));
      if (first === undefined) return;
      const [key, {apiVersion, kind, metadata}] = first;
      const owner = {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true};
      each(
        answer,
        ({metadata: own}) => own?.namespace === metadata.namespace || metadata.namespace === undefined,
        (one, name) => (name === key ? one : withField(one, ['metadata', 'ownerReferences'], [owner])),
      );
    },
  ),
];

const says: readonly Harmful[] = [
  row(
    'is-unready-while-it-keeps',
    'says of the XR that it is not ready while a resource is kept',
    'awaiting-approval',
    'switched',
    (call) => {
      const {desired, answer} = call;
      if (droppedIn(call).every(([name]) => desired.has(name) || !answer.resources.has(name))) return;
      const {apiVersion, kind} = call.xr;
      answer.composite = {object: answer.composite?.object ?? {apiVersion, kind}, ready: 'false'};
    },
  ),
  row('says-a-phase', 'writes a status to the XR that no step desires', 'unwritable', 'living', ({xr, answer}) => {
    const object = answer.composite?.object ?? {apiVersion: xr.apiVersion, kind: xr.kind};
    answer.composite = {...answer.composite, object: withField(object, ['status', 'phase'], 'Running')};
  }),
];

/** The value without objects that are empty. */
function withoutEmpty(value: Json): Json {
  if (isList(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  const all = Object.entries(value).map(([key, one]) => [key, withoutEmpty(one as Json)] as const);
  return Object.fromEntries(all.filter(([, one]) => !isObject(one) || Object.keys(one).length > 0));
}

const values: readonly Harmful[] = [
  row('omits-what-is-empty', 'leaves out empty objects', 'unwritable', 'values', ({answer}) => {
    each(
      answer,
      ({spec}) => spec !== undefined,
      (one) => ({...one, spec: withoutEmpty(one.spec as JsonObject) as JsonObject}),
    );
  }),
  inTexts('cuts-long-texts', 'cuts texts after 63 letters', 'values', (text) => text.slice(0, 63)),
  row('rounds-fractions', 'rounds numbers', 'unwritable', 'values', ({answer}) => {
    const rounded = (value: Json): Json => {
      if (typeof value === 'number') return Math.round(value);
      if (isList(value)) return value.map(rounded);
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, rounded(one as Json)]))
        : value;
    };
    each(
      answer,
      ({spec}) => spec !== undefined,
      (one) => ({...one, spec: rounded(one.spec as JsonObject) as JsonObject}),
    );
  }),
];

const nested: readonly Harmful[] = [
  row(
    'pins-nested-compositions',
    'has nested XRs stay with the revision of their Composition',
    'kind-changed',
    'nested-edit',
    ({observed, answer}) => {
      each(answer, isXr, (one, name) => {
        const isNested = observed.get(name)?.spec?.['crossplane'] !== undefined;
        return withField(
          one,
          isNested ? ['spec', 'crossplane', 'compositionUpdatePolicy'] : ['spec', 'compositionUpdatePolicy'],
          'Manual',
        );
      });
    },
  ),
];

const several: readonly Harmful[] = [
  {
    name: 'uses-the-last-input',
    breaks: 'does as the input of the call before says',
    reason: 'nothing-selected',
    story: 'exchange',
    wrap: (honest) => {
      let last: JsonObject | undefined;
      return askedInstead(honest, (input) => {
        const before = last ?? input;
        last = input;
        return before;
      });
    },
  },
  row('pauses-what-is-going', 'pauses what is being deleted', 'still-deleting', 'remade', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const old = observed.get(name);
      return old !== undefined && isDeleting(old)
        ? withField(one, ['metadata', 'annotations', 'crossplane.io/paused'], 'true')
        : one;
    });
  }),
];

export const moment: readonly Harmful[] = [
  ...removals,
  ...restores,
  ...orders,
  ...protections,
  ...moves,
  ...names,
  ...says,
  ...values,
  ...nested,
  ...several,
];
