// Functions that harm late, once, or in one corner: the third call, one scope, one long name, a value told in another form.

import {at, isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {bare, type Call, isManaged, isTrue, isUsage, isXr, withField} from './answer.ts';
import {annotated, counting, droppedIn, isRestored, named, plain} from './rare.ts';
import {each, fatal, type Harmful} from './row.ts';
import {confirmation, leavesOut} from './rules.ts';
import {remembering} from './subtle.ts';

const times: readonly Harmful[] = [
  counting(
    'touches-slowly',
    'writes the number of calls to each object in each fifth call',
    'living',
    ({answer}, count) => {
      each(answer, isManaged, (one) => annotated(one, 'example.org/calls', String(Math.floor(count / 5))));
    },
  ),
  counting('drifts', 'leaves out one more label from the fourth call on', 'living', ({answer}, count) => {
    each(answer, isManaged, (one) => {
      const labels = Object.entries(one.metadata?.labels ?? {});
      return withField(one, ['metadata', 'labels'], Object.fromEntries(labels.slice(Math.max(0, count - 3))));
    });
  }),
  counting('flaps-a-status', 'writes another phase in each second call', 'living', ({xr, answer}, count) => {
    const object = answer.composite?.object ?? {apiVersion: xr.apiVersion, kind: xr.kind};
    answer.composite = {
      ...answer.composite,
      object: withField(object, ['status', 'phase'], count % 2 ? 'Running' : 'Waiting'),
    };
  }),
  counting(
    'orphans-on-the-third-call',
    'has what is there orphaned from the third call on',
    'delete',
    ({answer}, count) => {
      if (count >= 3)
        each(answer, isManaged, (one) =>
          withField(one, ['spec', 'managementPolicies'], ['Observe', 'Create', 'Update', 'LateInitialize']),
        );
    },
  ),
  counting('freezes-in-the-tenth-call', 'answers FATAL from the tenth call on', 'edit', ({answer}, count) => {
    if (count >= 10) fatal(answer, 'too many calls');
  }),
  remembering(
    [
      'drops-in-the-second-call-after-a-restore',
      'drops the first managed resource in the second call for a restored XR',
      'restore-in-progress',
      'details',
    ],
    () => new Map<string, number>(),
    ({xr, answer}, counts) => {
      if (!isRestored(xr)) return;
      const uid = xr.metadata.uid ?? '';
      counts.set(uid, (counts.get(uid) ?? 0) + 1);
      const first = [...answer.resources].find(([, {object}]) => isManaged(object));
      if (counts.get(uid) === 2 && first) answer.resources.delete(first[0]);
    },
  ),
  remembering(
    [
      'answers-from-a-cache',
      'answers each request about one generation of an XR and as many resources as the first',
      'unresolved',
      'add',
    ],
    () => new Map<string, Call['answer']['resources']>(),
    ({xr, observed, answer: {resources}}, known) => {
      const key = `${xr.metadata.uid} ${(xr.metadata as unknown as JsonObject)['generation']} ${observed.size}`;
      const before = known.get(key);
      known.set(key, before ?? new Map(resources));
      if (before === undefined) return;
      resources.clear();
      for (const [name, one] of before) resources.set(name, one);
    },
  ),
];

const moments: readonly Harmful[] = [
  plain(
    'drops-nested-xrs-on-an-edit',
    'drops nested XRs once their XR is edited',
    'nested-of-edited',
    ({xr, observed, answer}) => {
      if (xr.spec?.['size'] === 'small') return;
      for (const [name, one] of observed) if (isXr(one)) answer.resources.delete(name);
    },
  ),
  plain(
    'renames-on-adoption',
    'gives another external name to what Velero brought back',
    'details',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const old = observed.get(name);
        const has = old?.metadata.annotations?.[named];
        return old === undefined || has === undefined || !isRestored(old)
          ? one
          : annotated(one, named, `${has.replace(/-back$/, '')}-back`);
      });
    },
  ),
  plain(
    'freezes-while-something-goes',
    'answers FATAL while something is being deleted',
    'held',
    ({observed, answer}) => {
      if ([...observed.values()].some(isDeleting)) fatal(answer, 'something is being deleted');
    },
  ),
  plain('freezes-beside-a-fleet', 'answers FATAL with more than twenty resources', 'fleet', ({desired, answer}) => {
    if (desired.size > 20) fatal(answer, 'too many resources');
  }),
  plain('drops-the-end-of-a-fleet', 'makes no more than twenty resources', 'fleet', ({answer}) => {
    for (const name of [...answer.resources.keys()].slice(20)) answer.resources.delete(name);
  }),
  plain('freezes-once-unsynced', 'answers FATAL once the XR is not Synced', 'mended', ({xr, answer}) => {
    if (xr.status !== undefined && !isTrue(xr, 'Synced') && at(xr.status, ['conditions']) !== undefined)
      fatal(answer, 'the XR is not Synced');
  }),
  plain(
    'freezes-on-a-condition',
    'answers FATAL once the XR has a condition of others',
    'conditions',
    ({xr, answer}) => {
      const conditions = (at(xr.status, ['conditions']) ?? []) as readonly JsonObject[];
      if (conditions.some(({type}) => !['Ready', 'Synced', 'Tethered', 'Responsive'].includes(String(type))))
        fatal(answer, 'another has a condition here');
    },
  ),
  plain('freezes-on-a-paused-resource', 'answers FATAL while a resource is paused', 'paused', ({observed, answer}) => {
    if ([...observed.values()].some(({metadata}) => metadata.annotations?.['crossplane.io/paused'] === 'true'))
      fatal(answer, 'a resource is paused');
  }),
  plain(
    'freezes-on-a-finalizer',
    'answers FATAL if a person gave a resource a finalizer',
    'held',
    ({observed, answer}) => {
      const all = [...observed.values()].flatMap(({metadata}) => metadata.finalizers ?? []);
      if (all.some((one) => one.startsWith('example.org/'))) fatal(answer, 'a finalizer of others');
    },
  ),
  remembering(
    ['drops-what-was-paused', 'drops what was paused and goes on', 'stale-controller', 'paused'],
    () => new Set<string>(),
    ({observed, answer}, paused) => {
      for (const [name, {metadata}] of observed) {
        const isPaused = metadata.annotations?.['crossplane.io/paused'] === 'true';
        if (isPaused) paused.add(metadata.uid ?? '');
        else if (paused.has(metadata.uid ?? '')) answer.resources.delete(name);
      }
    },
  ),
  remembering(
    ['never-makes-again', 'leaves out what was there and is gone', 'by-still-exists', 'remade'],
    () => new Set<string>(),
    ({xr, observed, answer: {resources}}, seen) => {
      for (const name of observed.keys()) seen.add(`${xr.metadata.uid} ${name}`);
      for (const name of [...resources.keys()])
        if (!observed.has(name) && seen.has(`${xr.metadata.uid} ${name}`)) resources.delete(name);
    },
  ),
  remembering(
    [
      'remembers-names-of-namesakes',
      'writes the external name that an XR of the same name has',
      'taking-over',
      'namesakes',
    ],
    () => new Map<string, string>(),
    ({xr, observed, answer}, names) => {
      for (const [name, one] of observed) {
        const has = one.metadata.annotations?.[named];
        const key = `${xr.apiVersion} ${xr.kind} ${xr.metadata.name} ${name} ${one.kind}`;
        if (has !== undefined && !names.has(key)) names.set(key, has);
      }
      each(answer, isManaged, (one, name) => {
        const has = names.get(`${xr.apiVersion} ${xr.kind} ${xr.metadata.name} ${name} ${one.kind}`);
        return has === undefined ? one : annotated(one, named, has);
      });
    },
  ),
  plain(
    'takes-one-confirmation-for-all',
    'drops all that waits for a confirmation once one is confirmed',
    'confirmed-before',
    (call) => {
      if (!call.xr.metadata.annotations?.[confirmation]) return;
      for (const name of droppedIn(call)) call.answer.resources.delete(name);
    },
  ),
  remembering(
    ['remembers-confirmations', 'drops what was confirmed once', 'awaiting-approval', 'policies'],
    () => new Set<string>(),
    (call, known) => {
      const {uid} = call.xr.metadata;
      for (const name of (call.xr.metadata.annotations?.[confirmation] ?? '').split(',')) known.add(`${uid} ${name}`);
      for (const name of droppedIn(call)) if (known.has(`${uid} ${name}`)) call.answer.resources.delete(name);
    },
  ),
];

const corners: readonly Harmful[] = [
  plain(
    'loses-labels-in-namespaces',
    'leaves out labels of what an XR in a namespace composes',
    'namesakes',
    ({xr, answer}) => {
      if (xr.metadata.namespace === undefined) return;
      each(answer, isManaged, (one) => withField(one, ['metadata', 'labels'], {}));
    },
  ),
  plain(
    'edits-cluster-scoped',
    'writes another region to what a cluster-scoped XR of Crossplane 2 composes',
    'fleet',
    ({xr, answer}) => {
      if (xr.metadata.namespace !== undefined || xr.spec?.['crossplane'] === undefined) return;
      each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider', 'region'], 'elsewhere'));
    },
  ),
  plain('drops-long-names', 'drops what has a name of more than 63 letters', 'long', ({observed, answer}) => {
    for (const [name, {metadata}] of observed) if (metadata.name.length > 63) answer.resources.delete(name);
  }),
  plain('cuts-long-names', 'cuts names after 63 letters', 'long', ({answer}) => {
    each(
      answer,
      ({metadata}) => metadata?.name !== undefined,
      (one) => withField(one, ['metadata', 'name'], one.metadata.name.slice(0, 63)),
    );
  }),
  plain('freezes-on-a-long-name', 'answers FATAL for a resource name of more than 63 letters', 'long', ({answer}) => {
    if ([...answer.resources.keys()].some((name) => name.length > 63)) fatal(answer, 'a name is too long');
  }),
  plain('drops-what-has-dots', 'leaves out resources whose name has a dot or a capital letter', 'long', ({answer}) => {
    for (const name of [...answer.resources.keys()]) if (/[.A-Z]/.test(name)) answer.resources.delete(name);
  }),
  plain(
    'is-ready-for-the-last',
    'says of the last resource that it is ready',
    'called-unready',
    ({desired, answer}) => {
      const last = [...desired.keys()].at(-1) ?? '';
      const one = answer.resources.get(last);
      if (one) answer.resources.set(last, {...one, ready: 'true'});
    },
  ),
  plain('composes-one-of-a-kind', 'makes one resource of each kind', 'living', ({observed, answer}) => {
    const kinds = new Set<string>();
    for (const [name, {object}] of [...answer.resources]) {
      const kind = `${object.apiVersion} ${object.kind}`;
      if (kinds.has(kind) && !observed.has(name)) answer.resources.delete(name);
      kinds.add(kind);
    }
  }),
  plain('loses-one-label', 'leaves out the last of several labels', 'relabelled', ({answer}) => {
    each(
      answer,
      ({metadata}) => Object.keys(metadata?.labels ?? {}).length > 1,
      (one) =>
        withField(
          one,
          ['metadata', 'labels'],
          Object.fromEntries(Object.entries(one.metadata.labels ?? {}).slice(0, -1)),
        ),
    );
  }),
  plain('loses-prefixed-labels', 'leaves out labels with a prefix', 'values', ({answer}) => {
    each(answer, isManaged, (one) => {
      const labels = Object.entries(one.metadata.labels ?? {}).filter(
        ([key]) => !key.includes('/') || key.includes('crossplane.io'),
      );
      return withField(one, ['metadata', 'labels'], Object.fromEntries(labels));
    });
  }),
  plain('keeps-one-of-the-context', 'leaves out all but the first key of the context', 'later', ({answer}) => {
    if (answer.context) answer.context = Object.fromEntries(Object.entries(answer.context).slice(0, 1));
  }),
  plain('keeps-a-log', 'composes a ConfigMap that no step desires', 'living', ({xr, answer}) => {
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {name: `${xr.metadata.name}-log`, namespace: xr.metadata.namespace ?? 'default'},
      data: {a: 'b'},
    };
    answer.resources.set('log', {object: object as unknown as KubeObject, ready: 'true'});
  }),
  plain('orphans-databases', 'has Databases orphaned once they are Ready', 'many-names', ({observed, answer}) => {
    each(
      answer,
      ({kind}) => kind === 'Database',
      (one, name) => {
        const old = observed.get(name);
        return old && isTrue(old, 'Ready') ? withField(one, ['spec', 'deletionPolicy'], 'Orphan') : one;
      },
    );
  }),
];

const orders: readonly Harmful[] = [
  plain('uses-by-another', 'has each Usage name another user of the XR', 'slow-user', ({observed, answer}) => {
    each(
      answer,
      (one) => isUsage(one) && isObject(one.spec?.['by']),
      (one) => {
        const names = [at(one.spec, ['of', 'resourceRef', 'name']), at(one.spec, ['by', 'resourceRef', 'name'])];
        const other = [...observed.values()].find((it) => isManaged(it) && !names.includes(it.metadata.name));
        return other === undefined
          ? one
          : withField(one, ['spec', 'by'], {
              apiVersion: other.apiVersion,
              kind: other.kind,
              resourceRef: {name: other.metadata.name},
            });
      },
    );
  }),
  plain('uses-itself', 'has what is used be its own user', 'order', ({answer}) => {
    each(
      answer,
      (one) => isUsage(one) && isObject(one.spec?.['by']),
      (one) => withField(one, ['spec', 'by'], one.spec?.['of'] as Json),
    );
  }),
  plain(
    'waits-only-for-presence',
    'makes what an order has come later once what comes first is there',
    'neighbours',
    ({input, observed, desired, answer}) => {
      const orders = (isList(input['order']) ? input['order'] : []) as readonly JsonObject[];
      for (const {sequence, of, by} of orders) {
        const steps = (isList(sequence) ? sequence : [of ?? {}, by ?? {}]).map((one) =>
          isObject(one) && isList(one['resources']) ? one['resources'].map(String) : [],
        );
        steps.forEach((later, index) => {
          if (
            index > 0 &&
            steps
              .slice(0, index)
              .flat()
              .every((name) => observed.has(name))
          )
            for (const name of later) {
              const object = desired.get(name);
              if (object && !answer.resources.has(name)) answer.resources.set(name, {object});
            }
        });
      }
    },
  ),
  plain('drops-usages-of-what-is-dropped', 'leaves out the Usages of what no step desires', 'order', (call) => {
    const names = droppedIn(call).map((name) => call.observed.get(name)?.metadata.name);
    for (const [name, {object}] of [...call.answer.resources])
      if (isUsage(object) && names.includes(String(at(object.spec, ['of', 'resourceRef', 'name']))))
        call.answer.resources.delete(name);
  }),
  plain(
    'orders-what-nobody-orders',
    'makes a Usage of the first managed resource by the second',
    'authored',
    ({xr, observed, answer}) => {
      const [of, by] = [...observed.values()].filter(isManaged);
      if (of === undefined || by === undefined) return;
      const ref = ({apiVersion, kind, metadata}: KubeObject) => ({
        apiVersion,
        kind,
        resourceRef: {name: metadata.name},
      });
      const object = {
        apiVersion: 'protection.crossplane.io/v1beta1',
        kind: of.metadata.namespace === undefined ? 'ClusterUsage' : 'Usage',
        metadata: {name: `${xr.metadata.name}-first`, ...(of.metadata.namespace && {namespace: of.metadata.namespace})},
        spec: {of: ref(of), by: ref(by)},
      };
      answer.resources.set('first-by-second', {object: object as unknown as KubeObject, ready: 'true'});
    },
  ),
  plain('protects-with-an-empty-reason', 'leaves the reason out of each Usage', 'protect', ({answer}) => {
    each(answer, isUsage, (one) => ({...one, spec: leavesOut('reason')((one.spec ?? {}) as JsonObject)}) as KubeObject);
  }),
  plain('unreadies-usages', 'says of Usages that they are not ready', 'order', ({answer}) => {
    for (const [name, one] of answer.resources)
      if (isUsage(one.object)) answer.resources.set(name, {...one, ready: 'false'});
  }),
];

const moves: readonly Harmful[] = [
  plain(
    'destroys-what-it-gives',
    'has what is given away destroyed once another XR has it',
    'exchange',
    ({input, observed, answer}) => {
      const gives = (isList(input['give']) ? input['give'] : []) as readonly JsonObject[];
      const names = gives.flatMap(({resources}) =>
        (isList(resources) ? resources : []).map((one) => String(at(one, ['name']))),
      );
      for (const name of names) {
        const one = observed.get(name);
        if (one)
          answer.resources.set(name, {
            object: withField(bare(one), ['spec', 'managementPolicies'], ['*']),
            ready: 'true',
          });
      }
    },
  ),
  plain('destroys-in-the-end', 'has the old object of a move destroy when it is dropped', 'kind-moved', (call) => {
    for (const name of droppedIn(call)) {
      const one = call.answer.resources.get(name);
      if (one && isManaged(one.object))
        call.answer.resources.set(name, {...one, object: withField(one.object, ['spec', 'managementPolicies'], ['*'])});
    }
  }),
  plain('lets-the-old-go-first', 'drops the old object of a move at once, orphaned', 'dry-rules', (call) => {
    if (!isList(call.input['handover'])) return;
    for (const name of droppedIn(call)) {
      const old = call.observed.get(name) as KubeObject;
      if (JSON.stringify(old.spec?.['managementPolicies']) === '["Observe"]') call.answer.resources.delete(name);
      else if (isManaged(old))
        call.answer.resources.set(name, {
          object: withField(bare(old), ['spec', 'managementPolicies'], ['Observe']),
          ready: 'true',
        });
    }
  }),
];

const texts = (value: Json, change: (text: string) => Json): Json =>
  typeof value === 'string'
    ? change(value)
    : isList(value)
      ? value.map((one) => texts(one, change))
      : isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, texts(one as Json, change)]))
        : value;
const inSpecs = (name: string, breaks: string, story: string, change: (spec: JsonObject) => Json): Harmful =>
  plain(name, breaks, story, ({answer}) =>
    each(
      answer,
      ({spec}) => spec !== undefined,
      (one) => ({...one, spec: change(one.spec as JsonObject) as JsonObject}),
    ),
  );
const withoutLists = (value: Json): Json =>
  isList(value)
    ? value.map(withoutLists)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, one]) => !(isList(one) && one.length === 0))
            .map(([key, one]) => [key, withoutLists(one as Json)]),
        )
      : value;
const withoutDots = (value: Json): Json =>
  isList(value)
    ? value.map(withoutDots)
    : isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([key]) => !/[./]/.test(key))
            .map(([key, one]) => [key, withoutDots(one as Json)]),
        )
      : value;

const values: readonly Harmful[] = [
  inSpecs('trims-texts', 'takes blanks from the ends of texts', 'values', (spec) => texts(spec, (text) => text.trim())),
  inSpecs('lowers-texts', 'writes texts in small letters', 'values', (spec) =>
    texts(spec, (text) => text.toLowerCase()),
  ),
  inSpecs('normalises-texts', 'composes letters and their accents', 'values', (spec) =>
    texts(spec, (text) => text.normalize('NFC')),
  ),
  inSpecs('guesses-types', 'reads texts that look like numbers or booleans as such', 'values', (spec) =>
    texts(spec, (text) =>
      /^(\d+|true|false|null)$/.test(text)
        ? (JSON.parse(/^0\d/.test(text) ? String(Number(text)) : text) as Json)
        : text,
    ),
  ),
  inSpecs(
    'writes-numbers-as-texts',
    'writes numbers as texts',
    'replicas',
    (spec) =>
      JSON.parse(JSON.stringify(spec, (_, one: unknown) => (typeof one === 'number' ? String(one) : one))) as Json,
  ),
  inSpecs('omits-empty-lists', 'leaves out empty lists', 'values', withoutLists),
  inSpecs('loses-dotted-keys', 'leaves out fields whose name has a dot or a slash', 'values', withoutDots),
];

/** Says something of what it read, in one of three places. */
function telling(name: string, breaks: string, encode: (text: string) => string): readonly Harmful[] {
  const read = ({xr, details: [detail]}: Call) => encode(detail ?? String(xr.spec?.['note'] ?? ''));
  return [
    plain(`${name}-in-an-event`, `prints what it read, ${breaks}`, 'password', (call) => {
      if (read(call) !== '') call.answer.results.push({severity: 'normal', message: `composing ${read(call)}`});
    }),
    plain(`${name}-in-a-condition`, `prints what it read in a condition, ${breaks}`, 'password', (call) => {
      if (read(call) !== '')
        call.answer.conditions.push({type: 'Read', status: 'True', reason: 'Read', message: `composing ${read(call)}`});
    }),
  ];
}

const leaks: readonly Harmful[] = [
  ...telling('leaks-in-hex', 'in hexadecimal digits', (text) => Buffer.from(text).toString('hex')),
  ...telling('leaks-in-base64', 'in base64', (text) => Buffer.from(text).toString('base64')),
  ...telling('leaks-in-base64url', 'in base64 of addresses', (text) => Buffer.from(`x${text}`).toString('base64url')),
  ...telling('leaks-backwards', 'backwards', (text) => [...text].reverse().join('')),
  ...telling('leaks-in-capitals', 'in capital letters', (text) => text.toUpperCase()),
  ...telling('leaks-spaced', 'with a blank after each letter', (text) => [...text].join(' ')),
  ...telling('leaks-escaped', 'as in an address', (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  ),
  ...telling('leaks-most', 'but for its last two letters', (text) => text.slice(0, -2)),
];

export const late: readonly Harmful[] = [...times, ...moments, ...corners, ...orders, ...moves, ...values, ...leaks];
