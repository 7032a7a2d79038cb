// Functions that harm rarely: in one call, for one XR, for one label, or in one state.

import {at, isList, isObject, type Json, type JsonObject} from '../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {bare, type Call, Failed, isManaged, isTrue, isUsage, isXr, withField} from './answer.ts';
import {each, fatal, type Harmful, row} from './row.ts';
import {remembering} from './subtle.ts';
import {asking, inPart, throughout} from './words.ts';

export const named = 'crossplane.io/external-name';
export const isRestored = ({metadata}: KubeObject): boolean =>
  metadata.labels?.['velero.io/restore-name'] !== undefined;
export const annotated = (one: KubeObject, key: string, value: Json): KubeObject =>
  withField(one, ['metadata', 'annotations', key], value);
export const droppedIn = ({observed, desired}: Call): readonly string[] =>
  [...observed]
    .filter(([name, one]) => !desired.has(name) && !isUsage(one) && name !== 'tether-external-names')
    .map(([name]) => name);

/** A row that counts the calls for each XR, from 1 on. */
export function counting(
  name: string,
  breaks: string,
  story: string,
  change: (call: Call, count: number) => void,
): Harmful {
  return remembering(
    [name, breaks, 'nothing-selected', story],
    () => new Map<string, number>(),
    (call, counts) => {
      const uid = call.xr.metadata.uid ?? '';
      counts.set(uid, (counts.get(uid) ?? 0) + 1);
      change(call, counts.get(uid) ?? 0);
    },
  );
}
export const plain = (name: string, breaks: string, story: string, change: (call: Call) => void): Harmful =>
  row(name, breaks, 'nothing-selected', story, change);

/** Changes each value below spec and data that is no object. */
function values(value: Json, change: (one: Json) => Json): Json {
  if (isList(value)) return change(value.map((one) => values(one, change)));
  if (!isObject(value)) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, values(one as Json, change)]));
}
const inSpecs = (name: string, breaks: string, story: string, change: (one: Json) => Json): Harmful =>
  plain(name, breaks, story, ({answer}) =>
    each(
      answer,
      ({spec}) => spec !== undefined,
      (one) => ({...one, spec: values(one.spec as JsonObject, change) as JsonObject}),
    ),
  );

const isOrphaned = ({spec}: KubeObject): boolean => spec?.['deletionPolicy'] === 'Orphan';

/** Leaves Usages of some out, but for those of an order. */
function unprotecting(name: string, breaks: string, is: (one: KubeObject) => boolean): Harmful {
  return plain(name, breaks, 'protect', ({observed, answer}) => {
    const names = [...observed.values()].filter(is).map(({metadata}) => metadata.name);
    for (const [key, {object}] of [...answer.resources]) {
      const used = at(object.spec, ['of', 'resourceRef', 'name']);
      if (isUsage(object) && object.spec?.['by'] === undefined && names.includes(String(used)))
        answer.resources.delete(key);
    }
  });
}

const calls: readonly Harmful[] = [
  counting(
    'drops-on-the-third-call',
    'drops the first managed resource in the third call for an XR',
    'living',
    ({answer}, count) => {
      const first = [...answer.resources].find(([, {object}]) => isManaged(object));
      if (count === 3 && first) answer.resources.delete(first[0]);
    },
  ),
  counting('answers-nothing-once', 'answers an empty desired state in the fourth call', 'living', ({answer}, count) => {
    if (count === 4) answer.resources.clear();
  }),
  counting('drops-usages-in-the-second-call', 'leaves Usages out in each second call', 'protect', ({answer}, count) => {
    if (count % 2 === 0)
      for (const [name, {object}] of [...answer.resources]) if (isUsage(object)) answer.resources.delete(name);
  }),
  counting(
    'renames-on-the-third-call',
    'gives each object another external name from the third call on',
    'living',
    ({answer, observed}, count) => {
      if (count >= 3)
        each(answer, isManaged, (one, name) => {
          const has = observed.get(name)?.metadata.annotations?.[named];
          return has === undefined ? one : annotated(one, named, `${has.replace(/-x$/, '')}-x`);
        });
    },
  ),
  counting('fails-each-second-call', 'fails each second call', 'living', (_, count) => {
    if (count % 2 === 0) throw new Failed('unavailable');
  }),
];

const writes: readonly Harmful[] = [
  counting(
    'writes-elsewhere-once',
    'writes another region in the third call for an XR',
    'living',
    ({answer}, count) => {
      if (count === 3) each(answer, isManaged, (one) => withField(one, ['spec', 'forProvider', 'region'], 'elsewhere'));
    },
  ),
];

const states: readonly Harmful[] = [
  plain(
    'makes-anew-while-not-ready',
    'gives what is not Ready another external name',
    'unavailable',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const old = observed.get(name);
        const has = old?.metadata.annotations?.[named];
        return old === undefined || has === undefined || isTrue(old, 'Ready')
          ? one
          : annotated(one, named, `${has.slice(0, 20)}-2`);
      });
    },
  ),
  plain(
    'waits-for-siblings',
    'makes a resource only once the one before is Ready',
    'provider-stopped',
    ({observed, answer}) => {
      let isOpen = true;
      for (const [name, {object}] of [...answer.resources]) {
        if (!isOpen && !observed.has(name)) answer.resources.delete(name);
        const old = observed.get(name);
        if (isManaged(object) && !(old && isTrue(old, 'Ready'))) isOpen = false;
      }
    },
  ),
  plain('gives-up-what-is-going', 'leaves out what is being deleted', 'remade', ({observed, answer}) => {
    for (const [name, old] of observed) if (isDeleting(old)) answer.resources.delete(name);
  }),
  plain('drops-beside-what-is-paused', 'drops the siblings of what a person paused', 'paused', ({observed, answer}) => {
    if ([...observed.values()].some(({metadata}) => metadata.annotations?.['crossplane.io/paused'] === 'true'))
      for (const [name, one] of observed)
        if (one.metadata.annotations?.['crossplane.io/paused'] !== 'true' && isManaged(one))
          answer.resources.delete(name);
  }),
  plain('freezes-on-two-drops', 'answers FATAL once two resources are dropped at once', 'order', (call) => {
    if (droppedIn(call).length >= 2) fatal(call.answer, 'too much at once');
  }),
  plain('orphans-just-before-a-drop', 'has what is dropped orphaned by one more call', 'drop', (call) => {
    for (const name of droppedIn(call)) {
      const one = call.observed.get(name) as KubeObject;
      if (isManaged(one) && one.spec?.['deletionPolicy'] !== 'Orphan' && one.apiVersion === 'cloud.example.org/v1')
        call.answer.resources.set(name, {
          object: withField(bare(one), ['spec', 'deletionPolicy'], 'Orphan'),
          ready: 'true',
        });
    }
  }),
  plain(
    'observes-the-labelled',
    'has providers only observe what is labelled with a role b once it is Ready',
    'edit',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const old = observed.get(name);
        return one.metadata?.labels?.['role'] === 'b' && old && isTrue(old, 'Ready')
          ? withField(one, ['spec', 'managementPolicies'], ['Observe'])
          : one;
      });
    },
  ),
  plain('pauses-once-ready', 'pauses what is Ready', 'edit', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const old = observed.get(name);
      return old && isTrue(old, 'Ready') ? annotated(one, 'crossplane.io/paused', 'true') : one;
    });
  }),
  plain('pauses-nested-xrs', 'pauses a nested XR once it is Ready', 'nested-edit', ({observed, answer}) => {
    each(answer, isXr, (one, name) => {
      const old = observed.get(name);
      return old && isTrue(old, 'Ready') ? annotated(one, 'crossplane.io/paused', 'true') : one;
    });
  }),
  plain('adds-finalizers-to-config', 'gives ConfigMaps and Secrets a finalizer', 'delete', ({answer}) => {
    each(
      answer,
      (one) => ['ConfigMap', 'Secret', 'Note'].includes(one.kind),
      (one) => withField(one, ['metadata', 'finalizers'], ['example.org/kept']),
    );
  }),
];

const names: readonly Harmful[] = [
  plain(
    'empties-external-names',
    'empties the external name of what is not Ready',
    'unavailable',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const old = observed.get(name);
        return old && !isTrue(old, 'Ready') && old.metadata.annotations?.[named] ? annotated(one, named, '') : one;
      });
    },
  ),
  plain('forgives-failed-creates', 'marks what is created as created', 'interrupted', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const pending = observed.get(name)?.metadata.annotations?.['crossplane.io/external-create-pending'];
      return pending === undefined ? one : annotated(one, 'crossplane.io/external-create-succeeded', pending);
    });
  }),
  plain('moves-secrets', 'writes connection Secrets to another namespace', 'authored', ({answer}) => {
    each(
      answer,
      ({spec}) => isObject(spec?.['writeConnectionSecretToRef']),
      (one) => withField(one, ['spec', 'writeConnectionSecretToRef', 'namespace'], 'default'),
    );
  }),
];

const details: readonly Harmful[] = [];

const readiness: readonly Harmful[] = [
  counting(
    'is-unready-after-a-while',
    'says of the first resource that it is not ready from the sixth call on',
    'living',
    ({answer}, count) => {
      const [first] = answer.resources;
      if (first && count >= 6) answer.resources.set(first[0], {...first[1], ready: 'false'});
    },
  ),
  plain(
    'is-unready-once-edited',
    'says that nothing is ready once the XR has another generation',
    'edit',
    ({xr, answer}) => {
      if (xr.spec?.['size'] !== 'large') return;
      for (const [name, one] of answer.resources) answer.resources.set(name, {...one, ready: 'false'});
    },
  ),
  plain(
    'is-ready-with-one',
    'says of all resources that they are ready once one is',
    'first-unavailable',
    ({observed, answer}) => {
      if (![...observed.values()].some((one) => isManaged(one) && isTrue(one, 'Ready'))) return;
      for (const [name, one] of answer.resources) answer.resources.set(name, {...one, ready: 'true'});
    },
  ),
];

const pipelines: readonly Harmful[] = [
  plain('empties-context', 'empties each value of the context', 'later', ({answer}) => {
    if (answer.context) answer.context = Object.fromEntries(Object.keys(answer.context).map((key) => [key, '']));
  }),
  plain(
    'asks-without-end-once-restored',
    'requires another object in each answer for a restored XR',
    'restore',
    ({xr, required, answer}) => {
      if (!isRestored(xr)) return;
      const name = `try-${1 + Math.max(0, ...required.map((one) => Number(/^try-(\d+)$/.exec(one)?.[1] ?? 0)))}`;
      answer.requirements.set(name, {apiVersion: 'v1', kind: 'Namespace', match: {kind: 'name', name}});
    },
  ),
  plain('decodes-a-secret', 'prints a value of a Secret as text', 'living', ({observed, answer}) => {
    const data = [...observed.values()].find(({kind}) => kind === 'Secret')?.['data'];
    const [value] = Object.values(isObject(data) ? data : {});
    if (typeof value === 'string')
      answer.results.push({severity: 'normal', message: `composing with ${Buffer.from(value, 'base64').toString()}`});
  }),
  plain(
    'prints-a-password',
    'prints a value from the Secret of a resource',
    'password',
    ({details: [value], answer}) => {
      if (value !== undefined) answer.results.push({severity: 'normal', message: `connecting to ${value}`});
    },
  ),
  plain('copies-a-password', 'makes a ConfigMap of a value from the Secret of a resource', 'password', (call) => {
    const [value] = call.details;
    const metadata = {name: `${call.xr.metadata.name}-copy`, namespace: 'default'};
    const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata, data: {value: value ?? ''}};
    if (value !== undefined) call.answer.resources.set('copy', {object, ready: 'true'});
  }),
  plain('ends-one-of-two-moves', 'drops the first of two that move at once', 'two-moves', (call) => {
    const [first, second] = droppedIn(call);
    if (first !== undefined && second !== undefined && isList(call.input['handover']))
      call.answer.resources.delete(first);
  }),
  plain('floods-events', 'says sixty things in each call', 'living', ({answer}) => {
    for (let thing = 0; thing < 60; thing++) answer.results.push({severity: 'normal', message: `looked at ${thing}`});
  }),
  plain('requires-an-unknown-kind', 'requires objects of a kind that is not served', 'living', ({answer}) => {
    answer.requirements.set('nobody', {
      apiVersion: 'nobody.example.org/v1',
      kind: 'Thing',
      match: {kind: 'labels', labels: {}},
    });
  }),
  plain('grows-once-restored', 'answers more than 4 MB for a restored XR', 'restore', ({xr, answer}) => {
    if (isRestored(xr)) answer.context = {...answer.context, 'example.org/log': 'x'.repeat(4_500_000)};
  }),
  plain('leaks-in-a-normal-event', 'prints what it read while the XR is not Ready', 'living', ({xr, answer}) => {
    if (!isTrue(xr, 'Ready'))
      answer.results.push({severity: 'normal', message: `composing ${JSON.stringify(xr.spec)}`});
  }),
  plain(
    'leaks-in-a-label',
    'writes a value that it read to a label of ConfigMaps and Secrets',
    'living',
    ({xr, answer}) => {
      const note = xr.spec?.['note'];
      if (typeof note === 'string')
        each(
          answer,
          (one) => ['ConfigMap', 'Secret'].includes(one.kind),
          (one) => withField(one, ['metadata', 'labels', 'note'], note),
        );
    },
  ),
];

const usages: readonly Harmful[] = [
  unprotecting('protects-no-orphans', 'protects nothing that its author has orphaned', isOrphaned),
  unprotecting('protects-only-managed', 'protects nothing that has no provider', (one) => !isManaged(one)),
  unprotecting(
    'gives-in',
    'protects nothing whose deletion it has denied',
    ({metadata}) => metadata.annotations?.['usage.crossplane.io/deletion-attempt-with-policy'] !== undefined,
  ),
  plain('uses-without-a-user', 'leaves `by` out of each Usage', 'order', ({answer}) => {
    each(answer, isUsage, (one) => {
      const {by: _, ...spec} = one.spec ?? {};
      return {...one, spec: {reason: 'kept', ...spec}};
    });
  }),
  plain('uses-what-is-not-there', 'has each Usage name a user that is not there', 'order', ({answer}) => {
    each(
      answer,
      (one) => isUsage(one) && isObject(one.spec?.['by']),
      (one) => withField(one, ['spec', 'by', 'resourceRef', 'name'], 'nobody'),
    );
  }),
  plain('adds-finalizers-to-usages', 'gives each Usage a finalizer', 'order', ({answer}) => {
    each(answer, isUsage, (one) => withField(one, ['metadata', 'finalizers'], ['example.org/kept']));
  }),
  plain(
    'protects-while-unready',
    'protects what is not Ready, and nothing that is',
    'protect',
    ({observed, answer}) => {
      for (const [name, {object}] of [...answer.resources]) {
        const of = object.spec?.['of'];
        const isReady = [...observed.values()].some(
          (one) => isObject(of) && of['kind'] === one.kind && isTrue(one, 'Ready'),
        );
        if (isUsage(object) && isReady) answer.resources.delete(name);
      }
    },
  ),
  plain('uses-by-kind', 'has each Usage select all of the kind', 'two-protected', ({answer}) => {
    each(
      answer,
      (one) => isUsage(one) && isObject(one.spec?.['of']),
      (one) => {
        const {resourceRef: _, ...of} = (one.spec?.['of'] ?? {}) as JsonObject;
        return withField(one, ['spec', 'of'], {...of, resourceSelector: {matchControllerRef: true}});
      },
    );
  }),
];

const words: readonly Harmful[] = [
  asking(
    'orphans-what-is-to-be-retained',
    'takes Retain for Orphan',
    'removal',
    throughout((one) => (one['policy'] === 'Retain' ? {...one, policy: 'Orphan'} : one)),
  ),
  asking(
    'waits-for-nothing-desired',
    'reads no waitFor',
    'awaited',
    throughout(({waitFor: _, ...one}) => one),
  ),
  asking(
    'takes-no-budget-for-percents',
    'reads no percents of a budget',
    'budgets',
    throughout(({percent: _, ...one}) => one),
  ),
  asking(
    'remembers-in-the-status',
    'remembers external names in the status always',
    'memory',
    throughout((one) => (one['in'] === 'ConfigMap' ? {...one, in: 'Status'} : one)),
  ),
  asking(
    'remembers-in-a-config-map',
    'remembers external names in a ConfigMap always',
    'external-names',
    throughout((one) => (one['in'] === 'Status' ? {...one, in: 'ConfigMap'} : one)),
  ),
  asking(
    'moves-dry',
    'moves nothing, and says what it would',
    'handover',
    inPart('handover', (one) => ({...one, dryRun: true})),
  ),
  asking(
    'gives-dry',
    'gives nothing, and says what it would',
    'exchange',
    inPart('give', (one) => ({...one, dryRun: true})),
  ),
  asking(
    'includes-nothing',
    'makes no template with a condition',
    'switched',
    inPart('resources', (one) => (one['include'] === undefined ? one : {...one, include: 'false'})),
  ),
  asking(
    'is-ready-when-never',
    'has no template ready',
    'templates',
    inPart('resources', (one) => ({...one, readyWhen: 'false'})),
  ),
];

/** The text that a reader of UTF-8 makes of bytes. */
const asText = (bytes: Uint8Array): Uint8Array => Buffer.from(Buffer.from(bytes).toString());

const contents: readonly Harmful[] = [
  plain('reads-details-as-text', 'reads connection details of the XR as UTF-8', 'bytes', ({answer}) => {
    if (answer.composite === undefined) return;
    const details = [...(answer.composite.connectionDetails ?? [])].map(
      ([key, bytes]) => [key, asText(bytes)] as const,
    );
    answer.composite = {...answer.composite, connectionDetails: new Map(details)};
  }),
  plain('reads-secrets-as-text', 'reads the data of Secrets as UTF-8', 'bytes', ({answer}) => {
    const asRead = (value: unknown) => Buffer.from(asText(Buffer.from(String(value), 'base64'))).toString('base64');
    each(
      answer,
      ({kind}) => kind === 'Secret',
      (one) => ({
        ...one,
        data: Object.fromEntries(
          Object.entries((one['data'] ?? {}) as JsonObject).map(([key, value]) => [key, asRead(value)]),
        ),
      }),
    );
  }),
  plain('drops-binary-data', 'leaves out binaryData', 'bytes', ({answer}) => {
    each(
      answer,
      (one) => 'binaryData' in one,
      ({binaryData: _, ...one}: KubeObject & {readonly binaryData?: unknown}) => one,
    );
  }),
  inSpecs('keeps-one-of-equal-items', 'keeps one of equal items of a list', 'bytes', (one) =>
    isList(one) ? [...new Map(one.map((item) => [JSON.stringify(item), item])).values()] : one,
  ),
  inSpecs('cuts-integers', 'cuts integers to 32 bits', 'bytes', (one) =>
    Number.isInteger(one) ? Number(one) | 0 : one,
  ),
  plain('overrules-unreadiness', 'calls ready what is Ready', 'called-unready', ({observed, answer}) => {
    for (const [name, one] of answer.resources) {
      const old = observed.get(name);
      if (old && isTrue(old, 'Ready')) answer.resources.set(name, {...one, ready: 'true'});
    }
  }),
  plain(
    'needs-every-name',
    'answers FATAL if a usage names what is not there',
    'absent',
    ({input, desired, answer}) => {
      const usages = (isList(input['usages']) ? input['usages'] : []) as readonly JsonObject[];
      const names = usages.flatMap(({of, by}) => [of, by]);
      if (names.some((name) => !desired.has(String(name)))) fatal(answer, 'a usage names what is not there');
    },
  ),
  counting('tells-its-clock', 'has an event with another text in each call', 'unavailable', ({answer}, count) => {
    answer.results.push({severity: 'warning', message: `looked ${count} times`});
  }),
  inSpecs('sorts-lists', 'sorts lists', 'authored', (one) => (isList(one) ? [...one].sort() : one)),
  plain('writes-half-a-status', 'writes only the first field of the status of the XR', 'named', ({answer}) => {
    const status = answer.composite?.object['status'];
    if (answer.composite === undefined || !isObject(status)) return;
    answer.composite = {
      ...answer.composite,
      object: {...answer.composite.object, status: Object.fromEntries(Object.entries(status).slice(1))},
    };
  }),
  plain(
    'renames-keys',
    'composes the first resource under another resource name, with the object it has',
    'living',
    ({observed, answer}) => {
      const [first] = answer.resources;
      if (first === undefined || first[0].startsWith('x-')) return;
      const old = observed.get(first[0]) ?? observed.get(`x-${first[0]}`);
      if (old === undefined) return;
      answer.resources.delete(first[0]);
      answer.resources.set(`x-${first[0]}`, {
        ...first[1],
        object: withField(first[1].object, ['metadata', 'name'], old.metadata.name),
      });
    },
  ),
];

export const rare: readonly Harmful[] = [
  ...calls,
  ...writes,
  ...states,
  ...names,
  ...details,
  ...readiness,
  ...pipelines,
  ...usages,
  ...words,
  ...contents,
];
