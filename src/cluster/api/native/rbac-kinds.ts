// Roles and their bindings: a binding never changes its role, and names may have colons.
//
// kubernetes/kubernetes v1.34 pkg/apis/rbac/{v1/defaults,validation/validation}.go. Not modelled: that nobody may give rights
// he does not have, and the controller that fills aggregated roles.

import {equal, isList, isObject, type Json} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, printedInvalid, required} from '../errors.ts';
import type {KindDefinition} from '../kinds.ts';
import {anything, atomic, list, record, text} from '../schema-pieces.ts';
import {nativeKind} from './native-kind.ts';

const rbac = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  generation: false,
  names: pathSegmentProblems,
  createdByUpdate: true,
} as const;
const rules = {...list(anything), nullable: true};
const withRules = (object: KubeObject): KubeObject => ({...object, rules: object['rules'] ?? null});
const roleRef = atomic(record({apiGroup: text, kind: text, name: text}));
const bound = {roleRef, subjects: list(atomic(record({apiGroup: text, kind: text, name: text, namespace: text})))};
const noRole = {roleRef: {apiGroup: '', kind: '', name: ''}};

export const rbacKinds: readonly KindDefinition[] = [
  nativeKind({
    ...rbac,
    kind: 'Role',
    plural: 'roles',
    namespaced: true,
    empty: {rules: null},
    filled: withRules,
    kept: withoutNoRules,
    born: withoutNoRules,
    fields: {rules},
  }),
  nativeKind({
    ...rbac,
    kind: 'ClusterRole',
    plural: 'clusterroles',
    namespaced: false,
    empty: {rules: null},
    filled: withRules,
    born: withoutNoRules,
    kept: withoutNoRules,
    fields: {rules, aggregationRule: record({clusterRoleSelectors: list(anything)})},
  }),
  nativeKind({
    ...rbac,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    empty: noRole,
    fields: bound,
    filled: withGroups,
    check: bindingErrors,
  }),
  nativeKind({
    ...rbac,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    empty: noRole,
    fields: bound,
    filled: withGroups,
    check: bindingErrors,
  }),
];

/** An empty list is none once it was stored. */
function withoutNoRules(object: KubeObject): KubeObject {
  const rules = object['rules'];
  return isList(rules) && rules.length === 0 ? {...object, rules: null} : object;
}

function withGroups(object: KubeObject): KubeObject {
  const {roleRef: role, subjects} = object;
  return {
    ...object,
    ...(isObject(role) ? {roleRef: {apiGroup: rbac.group, ...role}} : {}),
    ...(isList(subjects) ? {subjects: subjects.map(withGroup)} : {}),
  };
}

function withGroup(subject: Json): Json {
  return isObject(subject) && (subject['kind'] === 'User' || subject['kind'] === 'Group')
    ? {apiGroup: rbac.group, ...subject}
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

/** kubernetes/apimachinery pkg/api/validation/path/name.go IsValidPathSegmentName. */
function pathSegmentProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((sign) => name.includes(sign)).map((sign) => `may not contain '${sign}'`);
}
