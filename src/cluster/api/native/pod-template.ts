// The schema of a pod template, as far as Deployments and their like need it: which lists are owned by key, and what is
// filled in where a manifest leaves it out.
//
// kubernetes/kubernetes v1.34 staging/src/k8s.io/api/core/v1/types.go, pkg/apis/core/v1/defaults.go. Not modelled: what is
// inside the sources of volumes, affinities, security contexts and hooks, where any field is taken; quantities stay as
// they are written.

import {at, isList, isObject, type Json, type JsonObject} from '../../json.ts';
import {
  anything,
  atomic,
  flag,
  list,
  listByKey,
  quantities,
  record,
  setOf,
  text,
  textMap,
  whole,
  wholeOrText,
  withDefault,
} from '../schema-pieces.ts';

export const templateMetadata = record({
  annotations: textMap,
  creationTimestamp: {...text, nullable: true},
  finalizers: setOf(text),
  generateName: text,
  labels: textMap,
  name: text,
  namespace: text,
});

export const labelSelector = atomic(record({matchLabels: textMap, matchExpressions: list(anything)}));
/** A reference to an object by its name. */
const named = record({name: withDefault(text, '')});

const resources = record({
  claims: listByKey(record({name: text, request: text}), 'name'),
  limits: quantities,
  requests: quantities,
});

const keyOf = atomic(record({key: text, name: withDefault(text, ''), optional: flag}));

const variable = record({
  name: text,
  value: text,
  valueFrom: record({
    configMapKeyRef: keyOf,
    secretKeyRef: keyOf,
    fieldRef: atomic(record({apiVersion: withDefault(text, 'v1'), fieldPath: text})),
    fileKeyRef: anything,
    resourceFieldRef: atomic(record({containerName: text, divisor: wholeOrText, resource: text})),
  }),
});

const probe = record({
  exec: record({command: list(text)}),
  failureThreshold: withDefault(whole, 3),
  grpc: record({port: whole, service: withDefault(text, '')}),
  httpGet: record({
    host: text,
    httpHeaders: list(record({name: text, value: text})),
    path: withDefault(text, '/'),
    port: wholeOrText,
    scheme: withDefault(text, 'HTTP'),
  }),
  initialDelaySeconds: whole,
  periodSeconds: withDefault(whole, 10),
  successThreshold: withDefault(whole, 1),
  tcpSocket: record({host: text, port: wholeOrText}),
  terminationGracePeriodSeconds: whole,
  timeoutSeconds: withDefault(whole, 1),
});

const container = record({
  args: list(text),
  command: list(text),
  env: listByKey(variable, 'name'),
  envFrom: list(record({configMapRef: anything, secretRef: anything, prefix: text})),
  image: text,
  imagePullPolicy: text,
  lifecycle: anything,
  livenessProbe: probe,
  name: text,
  ports: listByKey(
    record({containerPort: whole, hostIP: text, hostPort: whole, name: text, protocol: withDefault(text, 'TCP')}),
    'containerPort',
    'protocol',
  ),
  readinessProbe: probe,
  resizePolicy: list(anything),
  resources: withDefault(resources, {}),
  restartPolicy: text,
  restartPolicyRules: list(anything),
  securityContext: anything,
  startupProbe: probe,
  stdin: flag,
  stdinOnce: flag,
  terminationMessagePath: withDefault(text, '/dev/termination-log'),
  terminationMessagePolicy: withDefault(text, 'File'),
  tty: flag,
  volumeDevices: listByKey(record({devicePath: text, name: text}), 'devicePath'),
  volumeMounts: listByKey(
    record({
      mountPath: text,
      mountPropagation: text,
      name: text,
      readOnly: flag,
      recursiveReadOnly: text,
      subPath: text,
      subPathExpr: text,
    }),
    'mountPath',
  ),
  workingDir: text,
});

const files = {defaultMode: withDefault(whole, 420), items: list(anything), optional: flag};

const volume = record({
  ...Object.fromEntries(
    (
      'awsElasticBlockStore azureDisk azureFile cephfs cinder csi ephemeral fc flexVolume flocker gcePersistentDisk ' +
      'gitRepo glusterfs image iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume'
    )
      .split(' ')
      .map((source) => [source, anything]),
  ),
  name: text,
  configMap: record({...files, name: withDefault(text, '')}),
  secret: record({...files, secretName: text}),
  downwardAPI: record({defaultMode: withDefault(whole, 420), items: list(anything)}),
  projected: record({defaultMode: withDefault(whole, 420), sources: list(anything)}),
  emptyDir: record({medium: text, sizeLimit: wholeOrText}),
  hostPath: record({path: text, type: withDefault(text, '')}),
  persistentVolumeClaim: record({claimName: text, readOnly: flag}),
});

const podSpec = record({
  activeDeadlineSeconds: whole,
  affinity: anything,
  automountServiceAccountToken: flag,
  containers: {...listByKey(container, 'name'), nullable: true},
  dnsConfig: anything,
  dnsPolicy: withDefault(text, 'ClusterFirst'),
  enableServiceLinks: flag,
  ephemeralContainers: listByKey(anything, 'name'),
  hostAliases: listByKey(record({hostnames: list(text), ip: text}), 'ip'),
  hostIPC: flag,
  hostNetwork: flag,
  hostPID: flag,
  hostUsers: flag,
  hostname: text,
  hostnameOverride: text,
  imagePullSecrets: listByKey(named, 'name'),
  initContainers: listByKey(container, 'name'),
  nodeName: text,
  nodeSelector: atomic(textMap),
  os: record({name: text}),
  overhead: quantities,
  preemptionPolicy: text,
  priority: whole,
  priorityClassName: text,
  readinessGates: list(anything),
  resourceClaims: listByKey(record({name: text, resourceClaimName: text, resourceClaimTemplateName: text}), 'name'),
  resources,
  restartPolicy: withDefault(text, 'Always'),
  runtimeClassName: text,
  schedulerName: withDefault(text, 'default-scheduler'),
  schedulingGates: listByKey(record({name: text}), 'name'),
  securityContext: withDefault(anything, {}),
  serviceAccount: text,
  serviceAccountName: text,
  setHostnameAsFQDN: flag,
  shareProcessNamespace: flag,
  subdomain: text,
  terminationGracePeriodSeconds: withDefault(whole, 30),
  tolerations: list(anything),
  topologySpreadConstraints: listByKey(anything, 'topologyKey', 'whenUnsatisfiable'),
  volumes: listByKey(volume, 'name'),
});

export const podTemplate = record({metadata: withDefault(templateMetadata, {}), spec: podSpec});

/** An empty template, as its Go struct has it. */
export const bareTemplate: JsonObject = {metadata: {}, spec: {containers: null}};

/** The template with what is filled in by more than a default: what follows from an image's tag, or from an account. */
export function filledTemplate(template: Json | undefined): Json | undefined {
  if (!isObject(template) || !isObject(template['spec'])) return template;
  const {spec} = template;
  const account = spec['serviceAccountName'] ?? spec['serviceAccount'];
  return {
    ...template,
    spec: {
      ...spec,
      ...(account === undefined ? {} : {serviceAccountName: account, serviceAccount: account}),
      ...containersIn(spec, 'containers'),
      ...containersIn(spec, 'initContainers'),
      ...(isList(spec['volumes']) ? {volumes: spec['volumes'].map(filledVolume)} : {}),
    },
  };
}

function containersIn(spec: JsonObject, field: string): JsonObject {
  const containers = spec[field];
  return isList(containers) ? {[field]: containers.map((one) => (isObject(one) ? filledContainer(one) : one))} : {};
}

function filledContainer(one: JsonObject): JsonObject {
  const image = String(one['image'] ?? '');
  const isLatest = /(^|\/)[^:@]*$/.test(image) || image.endsWith(':latest');
  return {...one, imagePullPolicy: one['imagePullPolicy'] ?? (isLatest ? 'Always' : 'IfNotPresent')};
}

function filledVolume(one: Json): Json {
  return isObject(one) && Object.keys(one).every((key) => key === 'name') ? {...one, emptyDir: {}} : one;
}

/** The missing fields of a template's containers: each needs a name and an image. */
export function containersMissing(template: Json | undefined, path: string): readonly string[] {
  const containers = at(template, ['spec', 'containers']);
  if (!isList(containers) || containers.length === 0) return [`${path}.spec.containers`];
  return containers.flatMap((one, index) =>
    ['name', 'image']
      .filter((field) => (at(one, [field]) ?? '') === '')
      .map((field) => `${path}.spec.containers[${index}].${field}`),
  );
}
