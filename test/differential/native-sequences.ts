// Random writes of Kubernetes' own kinds: what manifests of each kind look like, and who writes which of them in what order.

import fc from 'fast-check';
import type {Json, JsonObject} from '../../src/wire/json.ts';
import type {Sequence} from './server-sequences.ts';
import {objectName} from './server-sequences.ts';

interface NativeStories {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Bodies beside metadata; each may be the whole of what somebody wants. */
  readonly bodies: readonly JsonObject[];
}

const labels = {app: 'shop'};
const container = {name: 'web', image: 'shop:v1'};
const template = (...containers: readonly JsonObject[]): JsonObject => ({metadata: {labels}, spec: {containers}});
const selector = {matchLabels: labels};
const once = {restartPolicy: 'Never', containers: [container]};
const reader = {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader'};

const rollouts: readonly JsonObject[] = [
  {spec: {selector, template: template(container)}},
  {spec: {selector, template: template({...container, image: 'shop'})}},
  {spec: {selector, template: template({...container, ports: [{containerPort: 80}, {containerPort: 81, name: 'm'}]})}},
  {
    spec: {
      selector,
      template: template(
        {
          ...container,
          env: [
            {name: 'A', value: '1'},
            {name: 'B', valueFrom: {secretKeyRef: {name: 's', key: 'k'}}},
          ],
        },
        {name: 'side', image: 'side:latest', readinessProbe: {httpGet: {port: 80}}, command: ['run']},
      ),
    },
  },
  {
    spec: {
      selector,
      template: {
        metadata: {labels},
        spec: {
          containers: [container],
          serviceAccountName: 'runner',
          volumes: [{name: 'v'}, {name: 'c', configMap: {name: 'c'}}, {name: 's', secret: {secretName: 's'}}],
        },
      },
    },
  },
  {spec: {selector: {matchLabels: {app: 'other'}}, template: template(container)}},
  {spec: {selector, template: template({name: 'web'})}},
  {spec: {template: template(container)}},
  {spec: {selector, template: template(container), wrong: 1}},
  {spec: {selector, minReadySeconds: 5, revisionHistoryLimit: 3, template: template(container)}},
];

const scaled: readonly JsonObject[] = [
  {spec: {selector, replicas: 3, template: template(container)}},
  {spec: {replicas: 2}},
];

export const nativeStories: readonly NativeStories[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    bodies: [
      {data: {a: '1'}},
      {data: {a: '2', b: '3'}},
      {data: {a: '1'}, immutable: true},
      {data: {'a/b': '1'}},
      {binaryData: {c: 'eA=='}},
      {data: {a: 1}},
      {spec: {}},
      {},
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    bodies: [
      {stringData: {a: '1'}},
      {stringData: {a: 'ä', b: '2'}},
      {data: {a: 'MQ=='}},
      {data: {a: 'MQ=='}, immutable: true},
      {type: 'kubernetes.io/tls', data: {'tls.crt': 'eA=='}},
      {type: 'kubernetes.io/tls', stringData: {'tls.crt': 'x', 'tls.key': 'y'}},
      {type: 'example.org/own', data: {a: 'Mg=='}},
      {},
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    plural: 'services',
    bodies: [
      {spec: {selector: labels, ports: [{port: 80}]}},
      {
        spec: {
          selector: labels,
          ports: [
            {port: 80, name: 'a'},
            {port: 81, targetPort: 'web', name: 'b'},
          ],
        },
      },
      {spec: {selector: labels, ports: [{port: 80}, {port: 81}]}},
      {spec: {selector: {other: 'x'}, ports: [{port: 80, protocol: 'UDP'}]}},
      {spec: {clusterIP: 'None', selector: labels, ports: [{port: 80}]}},
      {spec: {type: 'ExternalName', externalName: 'shop.example.org'}},
      {spec: {type: 'ExternalName', clusterIP: 'None', ipFamilyPolicy: 'SingleStack'}},
      {spec: {type: 'NodePort', selector: labels, ports: [{port: 80}]}},
      {spec: {type: 'LoadBalancer', selector: labels, ports: [{port: 80}]}},
      {spec: {selector: labels}},
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    bodies: [{}, {automountServiceAccountToken: false}, {imagePullSecrets: [{name: 'a'}]}, {secrets: [{name: 'a'}]}],
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    bodies: [
      {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}},
      {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '2Gi'}}}},
      {spec: {accessModes: ['ReadWriteOnce'], storageClassName: 'x', resources: {requests: {storage: '1Gi'}}}},
      {spec: {accessModes: ['ReadWriteOnce'], volumeName: 'v', resources: {requests: {storage: '1Gi'}}}},
    ],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    plural: 'deployments',
    bodies: [...rollouts, ...scaled, {spec: {strategy: {type: 'Recreate'}, selector, template: template(container)}}],
  },
  {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    plural: 'statefulsets',
    bodies: [...rollouts, ...scaled, {spec: {serviceName: 'x', selector, template: template(container)}}],
  },
  {apiVersion: 'apps/v1', kind: 'DaemonSet', plural: 'daemonsets', bodies: rollouts},
  {
    apiVersion: 'batch/v1',
    kind: 'Job',
    plural: 'jobs',
    bodies: [
      {spec: {template: {spec: once}}},
      {spec: {template: {spec: once}, parallelism: 2}},
      {spec: {template: {spec: once}, completions: 2, backoffLimit: 1}},
      {spec: {template: {spec: {containers: [container]}}}},
    ],
  },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    plural: 'cronjobs',
    bodies: [
      {spec: {schedule: '0 * * * *', jobTemplate: {spec: {template: {spec: once}}}}},
      {spec: {schedule: '5 * * * *', suspend: true, jobTemplate: {spec: {backoffLimit: 2, template: {spec: once}}}}},
      {spec: {jobTemplate: {spec: {template: {spec: once}}}}},
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    plural: 'ingresses',
    bodies: [
      {spec: {defaultBackend: {service: {name: 's', port: {number: 80}}}}},
      {spec: {ingressClassName: 'c', defaultBackend: {service: {name: 't', port: {number: 80}}}}},
      {
        spec: {
          rules: [
            {
              host: 'a.example.org',
              http: {paths: [{path: '/', pathType: 'Prefix', backend: {service: {name: 's', port: {number: 80}}}}]},
            },
          ],
        },
      },
      {spec: {}},
      {spec: {defaultBackend: {service: {name: 's', port: {name: 'web', number: 80}}}}},
      {spec: {defaultBackend: {service: {port: {number: 80}}}}},
      {spec: {defaultBackend: {resource: {kind: 'Bucket', name: ''}}}},
      {spec: {defaultBackend: {resource: {kind: 'Bucket', name: 'b'}, service: {name: 's'}}}},
      {
        spec: {
          rules: [
            {http: {paths: []}},
            {http: {paths: [{path: '/'}, {path: 'a', pathType: 'Exact', backend: {service: {name: 's'}}}]}},
            {http: {paths: [{pathType: 'ImplementationSpecific'}, {path: '/', pathType: 'Regex'}]}},
          ],
        },
      },
    ],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    plural: 'networkpolicies',
    bodies: [
      {spec: {podSelector: {}}},
      {spec: {podSelector: selector, egress: [{}]}},
      {spec: {podSelector: selector, policyTypes: ['Egress']}},
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    plural: 'roles',
    bodies: [
      {rules: [{apiGroups: [''], resources: ['secrets'], verbs: ['get']}]},
      {rules: [{apiGroups: [''], resources: ['pods'], verbs: ['get', 'list']}]},
      {rules: []},
      {},
    ],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    plural: 'rolebindings',
    bodies: [
      {roleRef: reader, subjects: [{kind: 'ServiceAccount', name: 'a', namespace: 'default'}]},
      {
        roleRef: reader,
        subjects: [
          {kind: 'User', name: 'u'},
          {kind: 'Group', name: 'g'},
        ],
      },
      {roleRef: {kind: 'Role', name: 'reader'}},
      {roleRef: {...reader, name: 'writer'}},
    ],
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    plural: 'poddisruptionbudgets',
    bodies: [{spec: {minAvailable: 1, selector}}, {spec: {maxUnavailable: '25%', selector}}],
  },
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    bodies: [
      {spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'd'}}},
      {spec: {minReplicas: 2, maxReplicas: 4, scaleTargetRef: {apiVersion: 'apps/v1', kind: 'Deployment', name: 'd'}}},
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    plural: 'limitranges',
    bodies: [{spec: {limits: [{type: 'Pod', max: {cpu: '1'}}]}}],
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    plural: 'resourcequotas',
    bodies: [{spec: {hard: {pods: '3'}}}, {spec: {hard: {pods: '4', secrets: '1'}}}],
  },
];

/** One after the other: who applies, creates or updates what; at the end perhaps it is deleted. */
export const nativeSequences: fc.Arbitrary<Sequence> = fc
  .constantFrom(...nativeStories)
  .chain((story) =>
    fc
      .array(operationOf(story), {minLength: 1, maxLength: 5})
      .map(
        (ops) => ({kind: story.kind, plural: story.plural, apiVersion: story.apiVersion, ops}) as unknown as Sequence,
      ),
  );

function operationOf({apiVersion, kind, plural, bodies}: NativeStories): fc.Arbitrary<JsonObject> {
  const manager = fc.constantFrom('m1', 'm2');
  const metadata = fc.constantFrom<JsonObject>(
    {},
    {labels: {team: 'a'}},
    {annotations: {note: 'x'}},
    {finalizers: ['example.org/keep']},
  );
  const object = fc.tuple(fc.constantFrom(...bodies), metadata).map(([body, more]) => ({
    apiVersion,
    kind,
    metadata: {name: objectName, namespace: 'default', ...more},
    ...body,
  }));
  const at = `/${plural}/${objectName}`;
  const apply = fc
    .tuple(object, manager, fc.boolean())
    .map(([body, name, force]) => operation('apply', 'PATCH', at, body, {fieldManager: name, force: String(force)}));
  const create = fc
    .tuple(object, manager)
    .map(([body, name]) => operation('create', 'POST', `/${plural}`, body, {fieldManager: name}));
  const update = fc
    .tuple(object, manager)
    .map(([body, name]) => operation('update', 'PUT', at, body, {fieldManager: name}));
  const remove = fc
    .constantFrom<JsonObject>({}, {propagationPolicy: 'Foreground'}, {propagationPolicy: 'Orphan'})
    .map((options) => operation('delete', 'DELETE', at, {apiVersion: 'v1', kind: 'DeleteOptions', ...options}, {}));
  return fc.oneof(
    {weight: 5, arbitrary: apply},
    {weight: 2, arbitrary: create},
    {weight: 2, arbitrary: update},
    {weight: 1, arbitrary: remove},
  );
}

function operation(op: string, method: string, path: string, body: Json, query: JsonObject): JsonObject {
  const contentType = op === 'apply' ? 'application/apply-patch+yaml' : 'application/json';
  return {op, request: {method, path, contentType, query, body}};
}
