// Velero's changes to Kubernetes' own kinds before it restores them: a Service gets a new cluster IP and new node ports, and a Job
// selects its pods by its new uid.
//
// Source: vmware-tanzu/velero 1d1ac9f23 pkg/restore/actions/service_action.go, 31e140919 pkg/restore/actions/job_action.go. Not
// modelled: node ports that the user asked for (kept), and the actions for pods, accounts, volumes and role bindings, which do not
// change composed resources here.

import {isList, isObject, type Json, type JsonObject, without} from '../json.ts';
import {groupKindOf, type KubeObject} from '../object.ts';

export function asActionsLeaveIt(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  switch (groupKindOf(object)) {
    case 'Service':
      return {...object, spec: serviceSpec(spec)};
    case 'Job.batch':
      return {...object, spec: jobSpec(spec)};
    default:
      return object;
  }
}

function serviceSpec(spec: JsonObject): JsonObject {
  const headless = spec['clusterIP'] === 'None';
  const bare = headless ? spec : ['clusterIP', 'clusterIPs'].reduce<JsonObject>(without, spec);
  const ports = bare['ports'];
  if (!isList(ports) || bare['type'] === 'ExternalName') return bare;
  return {...bare, ports: ports.map((port): Json => (isObject(port) ? without(port, 'nodePort') : port))};
}

const uidLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

function jobSpec(spec: JsonObject): JsonObject {
  const selector = withoutUid(spec['selector'], 'matchLabels');
  const template = spec['template'];
  const metadata = isObject(template) ? withoutUid(template['metadata'], 'labels') : undefined;
  return {
    ...spec,
    ...(selector === undefined ? {} : {selector}),
    ...(isObject(template) && metadata !== undefined ? {template: {...template, metadata}} : {}),
  };
}

function withoutUid(value: Json | undefined, field: string): JsonObject | undefined {
  const labels = isObject(value) ? value[field] : undefined;
  if (!isObject(value) || !isObject(labels)) return undefined;
  return {...value, [field]: uidLabels.reduce<JsonObject>(without, labels)};
}
