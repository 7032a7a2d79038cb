// Roles and their bindings: a binding never changes its role, and names may have colons.
//
// kubernetes/kubernetes v1.34 pkg/apis/rbac/{v1/defaults,validation/validation}.go. Not modelled: the rule that a user may grant
// only rights that he has, and the controller that fills aggregated roles.

import {equal, isList, isObject, type Json, type JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {pathSegmentProblems} from '../../schema/name-rules.ts';
import {type FieldError, printedInvalid, required} from '../errors.ts';
import type {KindDefinition} from '../kinds.ts';
import {anything, atomic, list, record, text} from '../schema-pieces.ts';
import {type NativeKind, nativeKind} from './native-kind.ts';

const group = 'rbac.authorization.k8s.io';
const rules = {...list(anything), nullable: true};
const roleRef = atomic(record({apiGroup: text, kind: text, name: text}));
const subject = atomic(record({apiGroup: text, kind: text, name: text, namespace: text}));

export const rbacKinds: readonly KindDefinition[] = [
  roleKind('Role', true, {rules}),
  roleKind('ClusterRole', false, {rules, aggregationRule: record({clusterRoleSelectors: list(anything)})}),
  bindingKind('RoleBinding', true),
  bindingKind('ClusterRoleBinding', false),
];

function roleKind(kind: string, namespaced: boolean, fields: JsonObject): KindDefinition {
  return rbacKind(kind, {
    namespaced,
    fields,
    empty: {rules: null},
    filled: (object) => ({...object, rules: object['rules'] ?? null}),
    born: withoutNoRules,
    kept: withoutNoRules,
  });
}

function bindingKind(kind: string, namespaced: boolean): KindDefinition {
  return rbacKind(kind, {
    namespaced,
    fields: {roleRef, subjects: list(subject)},
    empty: {roleRef: {apiGroup: '', kind: '', name: ''}},
    filled: withGroups,
    check: bindingErrors,
  });
}

function rbacKind(kind: string, special: NativeKind): KindDefinition {
  const alike = {generation: false, names: pathSegmentProblems, createdByUpdate: true} as const;
  return nativeKind(`${group}/v1`, kind, {...alike, ...special});
}

/** An empty list is none once it was stored. */
function withoutNoRules(object: KubeObject): KubeObject {
  const rules = object['rules'];
  return isList(rules) && rules.length === 0 ? {...object, rules: null} : object;
}

function withGroups(object: KubeObject): KubeObject {
  const {roleRef: role, subjects} = object;
  return {
    ...object,
    ...(isObject(role) ? {roleRef: {apiGroup: group, ...role}} : {}),
    ...(isList(subjects) ? {subjects: subjects.map(withGroup)} : {}),
  };
}

function withGroup(subject: Json): Json {
  return isObject(subject) && (subject['kind'] === 'User' || subject['kind'] === 'Group')
    ? {apiGroup: group, ...subject}
    : subject;
}

function bindingErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const role = next['roleRef'];
  const errors: FieldError[] = [];
  if (old !== undefined && !equal(role, old['roleRef'])) {
    errors.push(printedInvalid('roleRef', printedRole(role), 'cannot change roleRef'));
  }
  const isNamed = isObject(role) && (role['name'] ?? '') !== '';
  return isNamed ? errors : [...errors, required('roleRef.name')];
}

/** As Go's struct, whose fields begin with capitals. */
function printedRole(role: Json | undefined): string {
  const {apiGroup = '', kind = '', name = ''} = isObject(role) ? role : {};
  return JSON.stringify({APIGroup: apiGroup, Kind: kind, Name: name});
}
