// Service: its cluster IP, which the server gives it, which cannot change, and which an update that leaves it out keeps.
//
// kubernetes/kubernetes v1.34 pkg/registry/core/service/{strategy,storage/alloc,storage/storage}.go (patchAllocatedValues,
// dropTypeDependentFields), pkg/apis/core/v1/defaults.go, pkg/apis/core/validation/validation.go. An IP is drawn from the
// object's uid, out of 10.96.0.0/16. Not modelled: IPs and node ports that are taken, two families of IPs, health checks.

import {equal, isList, isObject, type Json, type JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {dns1035LabelProblems} from '../../schema/name-rules.ts';
import {type FieldError, forbiddenField, invalidValue, required} from '../errors.ts';
import {
  anything,
  atomic,
  flag,
  list,
  listByKey,
  record,
  text,
  textMap,
  whole,
  wholeOrText,
  withDefault,
} from '../schema-pieces.ts';
import {isFilled, nativeKind} from './native-kind.ts';

const port = record({
  appProtocol: text,
  name: text,
  nodePort: whole,
  port: whole,
  protocol: withDefault(text, 'TCP'),
  targetPort: wholeOrText,
});

export const serviceKind = nativeKind('v1', 'Service', {
  generation: false,
  names: dns1035LabelProblems,
  createdByUpdate: true,
  empty: {spec: {}, status: {loadBalancer: {}}},
  fields: {
    spec: record({
      allocateLoadBalancerNodePorts: flag,
      clusterIP: text,
      clusterIPs: list(text),
      externalIPs: list(text),
      externalName: text,
      externalTrafficPolicy: text,
      healthCheckNodePort: whole,
      internalTrafficPolicy: text,
      ipFamilies: list(text),
      ipFamilyPolicy: text,
      loadBalancerClass: text,
      loadBalancerIP: text,
      loadBalancerSourceRanges: list(text),
      ports: listByKey(port, 'port', 'protocol'),
      publishNotReadyAddresses: flag,
      selector: atomic(textMap),
      sessionAffinity: withDefault(text, 'None'),
      sessionAffinityConfig: anything,
      trafficDistribution: text,
      type: withDefault(text, 'ClusterIP'),
    }),
  },
  status: true,
  filled: withTypeDefaults,
  born: (object) => withAllocated(withIpListed(object)),
  kept: (next, old) => withAllocated(withKeptIps(withoutOldType(withSameIps(next, old), old), old)),
  check: serviceErrors,
});

function withTypeDefaults(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  const type = spec['type'] ?? 'ClusterIP';
  const outside = type === 'NodePort' || type === 'LoadBalancer';
  const ports = spec['ports'];
  return withSpec(object, {
    ...spec,
    ...(isList(ports) ? {ports: ports.map(withTarget)} : {}),
    ...(type === 'ExternalName' ? {} : {internalTrafficPolicy: spec['internalTrafficPolicy'] ?? 'Cluster'}),
    ...(outside ? {externalTrafficPolicy: spec['externalTrafficPolicy'] ?? 'Cluster'} : {}),
    ...(type === 'LoadBalancer' ? {allocateLoadBalancerNodePorts: spec['allocateLoadBalancerNodePorts'] ?? true} : {}),
  });
}

function withTarget(one: Json): Json {
  if (!isObject(one)) return one;
  const {targetPort = one['port'] ?? 0} = one;
  return {...one, targetPort};
}

/** The one IP that is given is the first of several. */
function withIpListed(object: KubeObject): KubeObject {
  const {clusterIP = ''} = object.spec ?? {};
  return clusterIP === '' ? object : withSpec(object, {clusterIPs: [clusterIP], ...object.spec});
}

/** A cluster IP and node ports, where the type has them and they are not there. */
function withAllocated(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined || spec['type'] === 'ExternalName') return object;
  const {uid = ''} = object.metadata;
  const given = spec['clusterIP'] ?? (isList(spec['clusterIPs']) ? spec['clusterIPs'][0] : undefined);
  const clusterIP = given === undefined || given === '' ? addressFor(uid) : given;
  // A headless Service without a selector may have addresses of either family.
  const isOpen = clusterIP === 'None' && spec['selector'] === undefined;
  const ports = spec['ports'];
  const outside = spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';
  const numbered = (one: Json, index: number): Json =>
    isObject(one) && one['nodePort'] === undefined
      ? {...one, nodePort: 30_000 + (scattered(uid, 7 + index) % 2768)}
      : one;
  return withSpec(object, {
    ipFamilies: isOpen ? ['IPv4', 'IPv6'] : ['IPv4'],
    ipFamilyPolicy: isOpen ? 'RequireDualStack' : 'SingleStack',
    ...spec,
    clusterIP,
    clusterIPs: isList(spec['clusterIPs']) ? spec['clusterIPs'] : [clusterIP],
    ...(outside && isList(ports) ? {ports: ports.map(numbered)} : {}),
  });
}

/** The first of several IPs is the one IP: who changes only one of both changes both. */
function withSameIps(next: KubeObject, old: KubeObject): KubeObject {
  const {spec} = next;
  const ip = spec?.['clusterIP'];
  if (spec === undefined || ip === undefined || ip === old.spec?.['clusterIP']) return next;
  return equal(spec['clusterIPs'], old.spec?.['clusterIPs']) ? withSpec(next, {...spec, clusterIPs: [ip]}) : next;
}

/** Keeps the allocated addresses that an update leaves out. */
function withKeptIps(next: KubeObject, old: KubeObject): KubeObject {
  const {spec} = next;
  const before = old.spec;
  if (spec === undefined || before === undefined || spec['type'] === 'ExternalName') return next;
  if (before['type'] === 'ExternalName' || spec['clusterIP'] !== undefined) return next;
  const {clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy} = before;
  const kept = {clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy};
  const known = Object.entries(kept).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return withSpec(next, {...Object.fromEntries(known), ...spec});
}

const onlyOf = {
  ip: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
  outside: ['externalTrafficPolicy', 'healthCheckNodePort'],
  balancer: ['allocateLoadBalancerNodePorts', 'loadBalancerClass'],
} as const;

/** A Service that changes its type loses what the old one had, where the update does not change that itself. */
function withoutOldType(next: KubeObject, old: KubeObject): KubeObject {
  const {spec} = next;
  const before = old.spec;
  const type = spec?.['type'];
  if (spec === undefined || before === undefined || type === before['type']) return next;
  const lost: string[] = [];
  if (type === 'ExternalName') lost.push(...onlyOf.ip);
  if (type === 'ClusterIP' || type === 'ExternalName') lost.push(...onlyOf.outside);
  if (type !== 'LoadBalancer') lost.push(...onlyOf.balancer);
  const kept = Object.entries(spec).filter(([key, value]) => !lost.includes(key) || !equal(value, before[key]));
  const ports = spec['ports'];
  const dropsNodePorts = type === 'ClusterIP' || type === 'ExternalName';
  return withSpec(next, {
    ...Object.fromEntries(kept),
    ...(dropsNodePorts && isList(ports) ? {ports: ports.map(withoutNodePort)} : {}),
  });
}

function withoutNodePort(one: Json): Json {
  if (!isObject(one)) return one;
  const {nodePort: _, ...rest} = one;
  return rest;
}

function serviceErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const {spec = {}} = next;
  const {type, ports} = spec;
  const ips = isList(spec['clusterIPs']) ? spec['clusterIPs'] : [];
  const oldIps = isList(old?.spec?.['clusterIPs']) ? old.spec['clusterIPs'] : [];
  const errors: FieldError[] = [];
  const bothHaveIps = old !== undefined && type !== 'ExternalName' && old.spec?.['type'] !== 'ExternalName';
  if (bothHaveIps && oldIps.length > 0 && !equal(ips[0], oldIps[0])) {
    errors.push(invalidValue('spec.clusterIPs[0]', ips, 'may not change once set'));
  }
  if (ips[0] === 'None' && (type === 'NodePort' || type === 'LoadBalancer')) {
    errors.push(invalidValue('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type !== 'ExternalName' && ips[0] !== 'None' && (!isList(ports) || ports.length === 0)) {
    errors.push(required('spec.ports'));
  }
  if (type === 'ExternalName') errors.push(...externalNameErrors(spec));
  if (isList(ports) && ports.length > 1) {
    ports.forEach((one, index) => {
      if (isObject(one) && (one['name'] ?? '') === '') errors.push(required(`spec.ports[${index}].name`));
    });
  }
  return errors;
}

/** A Service that is a name outside has no address of its own. */
function externalNameErrors(spec: JsonObject): readonly FieldError[] {
  const {clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = ''} = spec;
  const kept = {
    clusterIPs: isFilled(clusterIPs),
    ipFamilies: isFilled(ipFamilies),
    ipFamilyPolicy: ipFamilyPolicy !== undefined,
  };
  const forbidden = Object.entries(kept).filter(([, isThere]) => isThere);
  return [
    ...forbidden.map(([field]) => forbiddenField(`spec.${field}`, 'may not be set for ExternalName services')),
    ...(externalName === '' ? [required('spec.externalName')] : []),
  ];
}

function withSpec(object: KubeObject, spec: JsonObject): KubeObject {
  return {...object, spec};
}

function addressFor(uid: string): string {
  return `10.96.${1 + (scattered(uid, 1) % 254)}.${1 + (scattered(uid, 2) % 254)}`;
}

function scattered(text: string, salt: number): number {
  let bits = 0x811c9dc5 ^ salt;
  for (const letter of text) bits = Math.imul(bits ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return bits >>> 0;
}
