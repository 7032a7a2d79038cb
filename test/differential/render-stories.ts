// Random reconciles. Few names and kinds, so that things meet; every field that the composite reconciler reads is
// sometimes there, sometimes not, and sometimes nonsense.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import {jsonOf, maybe, objectOf} from './arbitrary.ts';
import type {RenderStory} from './render-outcome.ts';

const xrUid = '7f3c7c1e-55a2-4a8e-9d0c-2f6f0a3f1a11';
const names = ['a', 'b', 'c', 'left-one', 'Right'] as const;
const kinds = [
  {apiVersion: 'example.org/v1', kind: 'Thing'},
  {apiVersion: 'example.org/v1', kind: 'Other'},
  {apiVersion: 'other.example.org/v1beta1', kind: 'Thing'},
  {apiVersion: 'v1', kind: 'ConfigMap'},
] as const;

const word = fc.constantFrom('x', 'y', 'z', 'long-word', '', 'Ünï', 'a b');
const scalar: fc.Arbitrary<Json> = fc.oneof(
  word,
  fc.constantFrom<Json>(0, 1, -3, 1.5, 9007199254740991, true, false, null, 4294967296),
);
const json = jsonOf(scalar, ['p', 'q', 'r.s', '__proto__']);
const body = fc.dictionary(fc.constantFrom('size', 'region', 'list', 'a-b'), json, {
  maxKeys: 2,
}) as fc.Arbitrary<JsonObject>;
const crossplaneKeys = [
  'crossplane.io/composite',
  'crossplane.io/claim-name',
  'crossplane.io/claim-namespace',
  'crossplane.io/composition-resource-name',
  'crossplane.io/external-name',
  'team',
];
const texts = fc.dictionary(fc.constantFrom(...crossplaneKeys), fc.constantFrom('a', 'b', 'demo', ''), {maxKeys: 2});

const condition = fc.record(
  {
    type: fc.constantFrom('Ready', 'Synced', 'Responsive', 'Healthy', 'Custom'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.constantFrom('Because', 'Available', 'ReconcileSuccess'),
    message: fc.constantFrom('x', 'a b'),
    lastTransitionTime: fc.constant('2024-01-01T00:00:00Z'),
    observedGeneration: fc.constantFrom(1, 2),
  },
  {requiredKeys: ['type', 'status', 'reason', 'lastTransitionTime']},
);

const ownerOf = (uid: string, controller: boolean): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'XApp',
  name: 'demo',
  uid,
  ...(controller ? {controller: true, blockOwnerDeletion: true} : {}),
});
const owners = fc.constantFrom<readonly JsonObject[]>(
  [ownerOf(xrUid, true)],
  [ownerOf(xrUid, true)],
  [ownerOf(xrUid, true)],
  [ownerOf(xrUid, false)],
  [ownerOf('someone-else', false), ownerOf(xrUid, true)],
  [],
);

function observedOf(namespace: string | undefined): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      kind: fc.constantFrom(...kinds),
      resource: maybe(fc.constantFrom(...names), 99),
      name: fc.constantFrom('demo-a', 'demo-b', 'other', 'demo-1234'),
      generateName: maybe(fc.constant('demo-')),
      place: namespace === undefined ? maybe(fc.constantFrom('default', 'team')) : fc.constant(namespace),
      labels: maybe(texts),
      owners,
      uid: maybe(fc.constantFrom('uid-1', 'uid-2'), 85),
      finalizers: maybe(fc.constant(['f.example.org/x'])),
      deleting: maybe(fc.constant('2024-01-01T00:00:00Z'), 15),
      spec: maybe(body),
      status: maybe(
        objectOf({
          conditions: maybe(fc.uniqueArray(condition, {maxLength: 2, selector: ({type}) => type})),
          note: maybe(json),
        }),
      ),
    })
    .map(
      ({kind, resource, name, generateName, place, labels, owners: references, uid, finalizers, deleting, ...rest}) => {
        const annotations = resource === undefined ? undefined : {'crossplane.io/composition-resource-name': resource};
        const ownerReferences = references.length === 0 ? undefined : references;
        const metadata = {name, generateName, namespace: place, labels, annotations, ownerReferences, uid, finalizers};
        return dropUndefined({...kind, metadata: {...metadata, deletionTimestamp: deleting}, ...rest}) as JsonObject;
      },
    );
}

function dropUndefined(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** Functions may answer anything where texts belong; an API server would refuse it, but Crossplane reads it before that. */
const orNoText = <T>(text: fc.Arbitrary<T>) =>
  fc.oneof(
    {weight: 12, arbitrary: text},
    {weight: 1, arbitrary: fc.constantFrom<Json>(5, false, ['a'], {note: false}, {note: 'a', count: 1}, {inner: {}})},
  );
const desiredMetadata = objectOf({
  name: maybe(orNoText(fc.constantFrom('demo-a', 'own-name', 'Bad_Name', ''))),
  namespace: maybe(fc.constantFrom('default', 'team'), 33),
  generateName: maybe(orNoText(fc.constantFrom('mine-', 'x')), 33),
  labels: maybe(orNoText(texts)),
  annotations: maybe(orNoText(texts)),
  ownerReferences: maybe(fc.constantFrom([ownerOf('someone-else', false)], [ownerOf('someone-else', true)]), 23),
  finalizers: maybe(fc.constant(['f.example.org/x']), 23),
  uid: maybe(fc.constant('uid-1'), 15),
});
const desiredObject = fc
  .record({
    kind: fc.oneof(
      {weight: 30, arbitrary: fc.constantFrom<JsonObject>(...kinds)},
      {weight: 1, arbitrary: fc.constantFrom<JsonObject>({}, {apiVersion: 'v1'}, {kind: 'Thing'})},
    ),
    metadata: maybe(
      fc.oneof({weight: 40, arbitrary: desiredMetadata}, {weight: 1, arbitrary: fc.constantFrom<Json>(null, [], 'a')}),
    ),
    spec: maybe(body),
    status: maybe(body, 23),
  })
  .map(({kind, ...rest}) => dropUndefined({...kind, ...rest}) as JsonObject);
const connectionDetails = maybe(fc.dictionary(fc.constantFrom('user', 'password'), word, {maxKeys: 2}), 23);
const desired = objectOf({resource: desiredObject, ready: fc.constantFrom(0, 1, 2), connectionDetails});

const compositeOfFunction = objectOf({
  resource: maybe(objectOf({status: maybe(body), spec: maybe(body, 23), metadata: maybe(desiredMetadata, 23)})),
  ready: fc.constantFrom(0, 1, 2),
  connectionDetails,
});
const result = objectOf({
  severity: fc.constantFrom(0, 1, 2, 2, 2, 3, 3, 3),
  message: fc.constantFrom('said', '', 'with "quotes"'),
  reason: maybe(fc.constantFrom('Told', '')),
  target: maybe(fc.constantFrom(0, 1, 2)),
});
const functionCondition = objectOf({
  type: fc.constantFrom('Custom', 'Ready', 'Synced', 'DatabaseReady', ''),
  status: fc.constantFrom(0, 1, 2, 3),
  reason: fc.constantFrom('Because', ''),
  message: maybe(word),
  target: maybe(fc.constantFrom(0, 1, 2)),
});
const selector = fc.oneof(
  objectOf({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('ConfigMap'),
    matchName: fc.constantFrom('known', 'unknown'),
    namespace: maybe(fc.constantFrom('default', 'team')),
  }),
  objectOf({
    apiVersion: fc.constant('v1'),
    kind: fc.constant('ConfigMap'),
    matchLabels: fc.constantFrom({labels: {team: 'a'}}, {labels: {}}),
    namespace: maybe(fc.constant('default')),
  }),
  objectOf({apiVersion: fc.constant('v1'), kind: fc.constant('ConfigMap')}),
);
const script = objectOf({
  ttlSeconds: maybe(fc.constantFrom(0, 30, 60)),
  composite: maybe(compositeOfFunction),
  resources: maybe(fc.dictionary(fc.constantFrom(...names), desired, {maxKeys: 3}), 85),
  results: maybe(fc.array(result, {maxLength: 2})),
  conditions: maybe(fc.array(functionCondition, {maxLength: 2})),
  requirements: maybe(fc.dictionary(fc.constantFrom('some', 'more'), selector, {maxKeys: 2}), 33),
  unsettled: maybe(fc.constant(true), 5),
  context: maybe(body, 23),
});

const step = fc
  .record({
    response: script,
    credentials: maybe(fc.constantFrom('known', 'known', 'known', 'unknown'), 10),
    bootstrap: maybe(fc.constantFrom('known', 'unknown'), 15),
  })
  .map(({response, credentials, bootstrap}) => ({
    functionRef: {name: 'script'},
    input: {apiVersion: 'script.fn.example.org/v1', kind: 'Script', response},
    ...(credentials === undefined
      ? {}
      : {credentials: [{name: 'keys', source: 'Secret', secretRef: {namespace: 'default', name: credentials}}]}),
    ...(bootstrap === undefined
      ? {}
      : {
          requirements: {
            requiredResources: [
              {requirementName: 'boot', apiVersion: 'v1', kind: 'ConfigMap', name: bootstrap, namespace: 'default'},
            ],
          },
        }),
  }));

function compositionOf(fits: boolean, steps: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'apps'},
    spec: {
      compositeTypeRef: {apiVersion: 'example.org/v1', kind: fits ? 'XApp' : 'XOther'},
      mode: 'Pipeline',
      pipeline: steps.map((one, index) => ({...one, step: `step-${index}`})),
    },
  };
}

interface Schema {
  readonly namespace?: string;
  readonly legacy: boolean;
}

const xrMetadata = fc.record({
  labels: maybe(texts),
  annotations: maybe(
    fc.constantFrom({'crossplane.io/paused': 'true'}, {'crossplane.io/paused': 'false'}, {note: 'x'}),
    15,
  ),
  finalizers: maybe(fc.constant(['composite.apiextensions.crossplane.io']), 33),
  deletionTimestamp: maybe(fc.constant('2024-01-01T00:00:00Z'), 5),
  generation: maybe(fc.constantFrom(1, 7)),
});

function xrOf({namespace, legacy}: Schema): fc.Arbitrary<JsonObject> {
  const known = objectOf({
    compositionRef: maybe(fc.constantFrom({name: 'apps'}, {name: 'another'})),
    compositionUpdatePolicy: maybe(fc.constantFrom('Automatic', 'Manual')),
    resourceRefs: maybe(
      fc.constantFrom<readonly JsonObject[]>(
        [],
        [{apiVersion: 'example.org/v1', kind: 'Thing', name: 'gone'}],
        [{apiVersion: 'v1', kind: 'ConfigMap'}],
      ),
    ),
  });
  return fc
    .record({
      metadata: xrMetadata,
      known: maybe(known),
      spec: maybe(body),
      claim: maybe(fc.constant({apiVersion: 'example.org/v1', kind: 'App', namespace: 'team', name: 'demo'}), 23),
      conditions: maybe(fc.uniqueArray(condition, {maxLength: 3, selector: ({type}) => type})),
      status: maybe(body),
    })
    .map(({metadata, known: own = {}, spec = {}, claim, conditions, status}) => {
      const crossplane = legacy ? {...own, ...(claim === undefined ? {} : {claimRef: claim})} : {crossplane: own};
      const place = namespace === undefined ? {} : {namespace};
      return dropUndefined({
        apiVersion: 'example.org/v1',
        kind: 'XApp',
        metadata: {name: 'demo', ...place, uid: xrUid, ...metadata},
        spec: {...spec, ...crossplane},
        ...(conditions === undefined && status === undefined ? {} : {status: {...status, conditions}}),
      }) as JsonObject;
    });
}

const legacyDefinition: JsonObject = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  metadata: {name: 'xapps.example.org'},
  spec: {
    group: 'example.org',
    names: {kind: 'XApp', plural: 'xapps'},
    scope: 'LegacyCluster',
    versions: [{name: 'v1', served: true, referenceable: true}],
  },
};

const configMap = (name: string, labels: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name, namespace: 'default', labels},
  data: {key: name},
});
const secret: JsonObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {name: 'known', namespace: 'default'},
  data: {user: 'YWRtaW4='},
};

function storiesOf(schema: Schema): fc.Arbitrary<RenderStory> {
  return fc
    .record({
      xr: xrOf(schema),
      fits: fc.constantFrom(...Array<boolean>(30).fill(true), false),
      steps: fc.array(step, {minLength: 1, maxLength: 3}),
      observed: fc.uniqueArray(observedOf(schema.namespace), {maxLength: 4, selector: addressOf}),
      others: fc.subarray([configMap('known', {team: 'a'}), configMap('second', {team: 'a'})]),
      hasSecret: fc.constantFrom(true, true, true, false),
    })
    .map(({xr, fits, steps, observed, others, hasSecret}) => ({
      xr,
      composition: compositionOf(fits, steps as unknown as readonly JsonObject[]),
      observed,
      required: others,
      credentials: hasSecret ? [secret] : [],
      ...(schema.legacy ? {definition: legacyDefinition} : {}),
    }));
}

function addressOf({apiVersion, kind, metadata}: JsonObject): string {
  const {namespace, name} = metadata as JsonObject;
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

export const renderStories: fc.Arbitrary<RenderStory> = fc.oneof(
  storiesOf({namespace: 'default', legacy: false}),
  storiesOf({legacy: false}),
  storiesOf({legacy: true}),
);
