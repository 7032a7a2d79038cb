// Functions that keep, move and compose the right objects, and have them lead elsewhere or hold something else.

import {isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {askedInstead, type Call, isManaged, isTrue, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';
import {remembering} from './subtle.ts';

const externalName = ['metadata', 'annotations', 'crossplane.io/external-name'];

function externalNameOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.['crossplane.io/external-name'];
}

/** Changes what no step desires and the input names no template for. */
function keeping(name: string, breaks: string, change: (object: KubeObject, name: string) => KubeObject): Harmful {
  return row(name, `${breaks} what it keeps`, 'awaiting-approval', 'removal', ({desired, answer}) => {
    each(answer, isManaged, (one, key) => (desired.has(key) ? one : change(one, key)));
  });
}

const kept: readonly Harmful[] = [
  keeping('edits-what-it-keeps', 'writes another region to', (one) =>
    withField(one, ['spec', 'forProvider', 'region'], 'nowhere'),
  ),
  keeping('pauses-what-it-keeps', 'pauses', (one) =>
    withField(one, ['metadata', 'annotations', 'crossplane.io/paused'], 'true'),
  ),
  keeping('renames-what-it-keeps', 'gives another external name to', (one, name) =>
    withField(one, externalName, `other-${name}`),
  ),
];

type Names = Map<string, string>;

/** The external names that it saw first, by resource name. */
function seen({observed}: Call, known: Names): Names {
  for (const [name, one] of observed) {
    const has = externalNameOf(one);
    if (isManaged(one) && isTrue(one, 'Ready') && has !== undefined && !known.has(name)) known.set(name, has);
  }
  return known;
}

function withNames({answer}: Call, names: JsonObject): void {
  each(answer, isManaged, (one, name) => {
    const other = names[name];
    return other === undefined ? one : withField(one, externalName, other);
  });
}

const identities: readonly Harmful[] = [
  remembering(
    ['swaps-external-names', 'gives each of two resources the external name of the other', 'taking-over', 'living'],
    (): Names => new Map(),
    (call, known) => {
      const {a, b} = Object.fromEntries(seen(call, known));
      if (a !== undefined && b !== undefined) withNames(call, {a: b, b: a});
    },
  ),
  remembering(
    ['crosses-two-moves', 'moves each of two resources to the new name of the other', 'taking-over', 'two-moves'],
    (): Names => new Map(),
    (call, known) => {
      const names = seen(call, known);
      const rules = (isList(call.input['handover']) ? call.input['handover'] : []) as readonly JsonObject[];
      const [one, other] = rules.flatMap(({from, to}) => {
        const [key = ''] = ((from as JsonObject)['resources'] ?? []) as readonly string[];
        const [name, fresh] = [names.get(key), (to as JsonObject)['resource']];
        return name === undefined || typeof fresh !== 'string' ? [] : [{name, fresh}];
      });
      if (one && other) withNames(call, {[one.fresh]: other.name, [other.fresh]: one.name});
    },
  ),
  row('imports-a-stranger', 'leads to what is in the cloud before', 'found-by-label', 'in-the-cloud', (call) => {
    withNames(call, {a: 'old'});
  }),
];

const stranger = (apiVersion: string, kind: string, name: string, body: JsonObject = {}): KubeObject =>
  ({apiVersion, kind, metadata: {name}, ...body}) as KubeObject;

const strangers: readonly Harmful[] = [
  row('composes-a-definition', 'composes a definition of others', 'unresolved', 'delete', ({answer}) => {
    const object = stranger('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'databases.cloud.example.org');
    answer.resources.set('definition', {object, ready: 'true'});
  }),
  row('composes-the-xr', 'composes the XR with another spec', 'unresolved', 'living', ({xr, answer}) => {
    const object = stranger(xr.apiVersion, xr.kind, xr.metadata.name, {spec: {size: 'huge'}});
    answer.resources.set('self', {object, ready: 'true'});
  }),
];

type Order = {readonly [word: string]: Json};

/** The honest function, asked with other orders. */
function ordering(name: string, breaks: string, change: (orders: readonly Order[]) => readonly Order[]): Harmful {
  const wrap: Harmful['wrap'] = (honest) =>
    askedInstead(honest, (input) =>
      isList(input['order']) ? {...input, order: change(input['order'] as readonly Order[])} : input,
    );
  return {name, breaks, reason: 'creation-order', story: 'when', wrap};
}

const conditions: readonly Harmful[] = [
  ordering('ignores-when', 'waits in an order while its condition is false', (orders) =>
    orders.map(({when: _, ...order}) => order),
  ),
  ordering('drops-conditional-orders', 'does as if orders with a condition were none', (orders) =>
    orders.filter(({when}) => when === undefined),
  ),
  row(
    'is-ready-with-templates',
    'says of a template that it is ready',
    'found-by-label',
    'template-unready',
    (call) => {
      const {desired, answer} = call;
      for (const [name, one] of answer.resources)
        if (!desired.has(name)) answer.resources.set(name, {...one, ready: 'true'});
    },
  ),
  row(
    'confirms-any-object',
    'takes a confirmation of one object for another',
    'awaiting-approval',
    'confirmed-before',
    (call) => {
      const {xr, observed, desired, answer} = call;
      const [confirmed = ''] = (xr.metadata.annotations?.['tether.fn.crossplane.io/confirm-removal'] ?? '').split('@');
      if (observed.has(confirmed) && !desired.has(confirmed)) answer.resources.delete(confirmed);
    },
  ),
];

const values: readonly Harmful[] = [
  row('writes-another-template', 'writes another region to templates', 'unresolved', 'templates', (call) => {
    each(call.answer, isManaged, (one, name) =>
      call.desired.has(name) ? one : withField(one, ['spec', 'forProvider', 'region'], 'nowhere'),
    );
  }),
  {
    name: 'keeps-the-first-xr',
    breaks: 'reads the XR in templates as it was first',
    reason: 'unresolved',
    story: 'templates',
    wrap: (honest) => {
      let first: string | undefined;
      return (bytes, service) =>
        askedInstead(honest, (input) => {
          if (!Array.isArray(input['resources'])) return input;
          first ??= JSON.stringify(input['resources']).replaceAll('${xr.spec.size}', 'small');
          return {...input, resources: JSON.parse(first)};
        })(bytes, service);
    },
  },
  row('publishes-more', 'publishes a connection detail of its own', 'unwritable', 'authored', ({answer}) => {
    if (answer.composite === undefined) return;
    const details = [...(answer.composite.connectionDetails ?? []), ['more', Buffer.from('more')] as const];
    answer.composite = {...answer.composite, connectionDetails: new Map(details)};
  }),
  row('leaves-marks', 'leaves an annotation of Crossplane on each object', 'adopt-first', 'living', ({answer}) => {
    each(answer, isManaged, (one) => withField(one, ['metadata', 'annotations', 'meta.crossplane.io/source'], 'me'));
  }),
  row('spreads-over-the-budget', 'drops one more in each call', 'over-budget', 'budgets', (call) => {
    const {input, observed, desired, answer} = call;
    const {budget} = isObject(input['removal']) ? input['removal'] : {};
    if (!isObject(budget) || budget['resources'] === undefined) return;
    const [first] = [...observed.keys()].filter((name) => !desired.has(name));
    if (first !== undefined) answer.resources.delete(first);
  }),
];

export const contents: readonly Harmful[] = [...kept, ...identities, ...strangers, ...conditions, ...values];
