// Ingress: every rule has paths, and every path leads to a Service's port or to another object.
//
// kubernetes/kubernetes v1.35 pkg/apis/networking/validation/validation.go (ValidateIngressSpec, validateIngressBackend). Not
// modelled: how hosts, paths, ports and names are spelled, and TLS.

import {at, isList, isObject, type Json} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, invalidValue, notSupported, required} from '../errors.ts';
import {anything, atomic, list, record, text, whole} from '../schema-pieces.ts';
import {nativeKind} from './native-kind.ts';

export const ingressKind = nativeKind('networking.k8s.io/v1', 'Ingress', {
  empty: {spec: {}, status: {loadBalancer: {}}},
  fields: {
    spec: record({
      defaultBackend: record({
        resource: atomic(record({apiGroup: text, kind: text, name: text})),
        service: record({name: text, port: atomic(record({name: text, number: whole}))}),
      }),
      ingressClassName: text,
      rules: list(anything),
      tls: list(anything),
    }),
  },
  status: true,
  check: ingressErrors,
});

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

function ingressErrors({spec = {}}: KubeObject): readonly FieldError[] {
  const {defaultBackend, rules = null} = spec;
  const all = isList(rules) ? rules : [];
  if (all.length === 0 && defaultBackend === undefined) {
    return [invalidValue('spec', rules, 'either `defaultBackend` or `rules` must be specified')];
  }
  return [
    ...(defaultBackend === undefined ? [] : backendErrors(defaultBackend, 'spec.defaultBackend')),
    ...all.flatMap((rule, index) => ruleErrors(at(rule, ['http']), `spec.rules[${index}].http`)),
  ];
}

function ruleErrors(http: Json | undefined, field: string): readonly FieldError[] {
  if (!isObject(http)) return [];
  const {paths} = http;
  if (!isList(paths) || paths.length === 0) return [required(`${field}.paths`)];
  return paths.flatMap((one, index) => pathErrors(one, `${field}.paths[${index}]`));
}

function pathErrors(one: Json, field: string): readonly FieldError[] {
  const [path = '', type] = [at(one, ['path']), at(one, ['pathType'])];
  if (type === undefined) return [required(`${field}.pathType`, 'pathType must be specified')];
  const mayBeEmpty = type === 'ImplementationSpecific' && path === '';
  const errors = pathTypes.includes(String(type))
    ? mayBeEmpty || String(path).startsWith('/')
      ? []
      : [invalidValue(`${field}.path`, path, 'must be an absolute path')]
    : [notSupported(`${field}.pathType`, type, pathTypes)];
  return [...errors, ...backendErrors(at(one, ['backend']), `${field}.backend`)];
}

function backendErrors(backend: Json | undefined, field: string): readonly FieldError[] {
  const [resource, service] = [at(backend, ['resource']), at(backend, ['service'])];
  if (resource !== undefined && service !== undefined) {
    return [invalidValue(field, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return missing(resource, ['kind', 'name'], `${field}.resource`);
  if (service === undefined) return [invalidValue(field, '', 'resource or service backend is required')];
  const [name, number] = [at(service, ['port', 'name']) ?? '', at(service, ['port', 'number']) ?? 0];
  const errors = missing(service, ['name'], `${field}.service`);
  if (name !== '' && number !== 0)
    return [...errors, invalidValue(field, '', 'cannot set both port name & port number')];
  return name === '' && number === 0 ? [...errors, required(field, 'port name or number is required')] : errors;
}

function missing(value: Json, names: readonly string[], field: string): readonly FieldError[] {
  return names.filter((name) => (at(value, [name]) ?? '') === '').map((name) => required(`${field}.${name}`));
}
