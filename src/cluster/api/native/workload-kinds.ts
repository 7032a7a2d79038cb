// Deployment, StatefulSet and DaemonSet: their selector, which must fit the template and never changes.
//
// kubernetes/kubernetes v1.34 pkg/apis/apps/{v1/defaults,validation/validation}.go, pkg/registry/apps/*/strategy.go. Not
// modelled: what is refused of a template beyond containers without name or image.

import {equal, isObject, type JsonObject, withAt} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, forbiddenField, invalidValue, required} from '../errors.ts';
import {anything, list, record, text, whole, withDefault} from '../schema-pieces.ts';
import {selectorErrors} from './label-selector.ts';
import {nativeKind} from './native-kind.ts';
import {bareTemplate, containersMissing, filledTemplate, labelSelector, podTemplate} from './pod-template.ts';

const shared = {
  minReadySeconds: whole,
  revisionHistoryLimit: withDefault(whole, 10),
  selector: labelSelector,
  template: podTemplate,
};

export const deploymentKind = nativeKind('apps/v1', 'Deployment', {
  generation: 'with-annotations',
  empty: {spec: {strategy: {}, template: bareTemplate}, status: {}},
  fields: {
    spec: record({
      ...shared,
      paused: {type: 'boolean'},
      progressDeadlineSeconds: withDefault(whole, 600),
      replicas: withDefault(whole, 1),
      strategy: record({type: text, rollingUpdate: anything}),
    }),
  },
  status: true,
  filled: (object) => withRollout(withTemplate(object), 'strategy', {maxUnavailable: '25%', maxSurge: '25%'}),
  check: (next, old) => [...workloadErrors(next, old), ...recreateErrors(next)],
});

export const daemonSetKind = nativeKind('apps/v1', 'DaemonSet', {
  empty: {
    spec: {updateStrategy: {}, template: bareTemplate},
    status: {currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0},
  },
  fields: {spec: record({...shared, updateStrategy: record({type: text, rollingUpdate: anything})})},
  status: true,
  filled: (object) =>
    withGenerationNote(withRollout(withTemplate(object), 'updateStrategy', {maxUnavailable: 1, maxSurge: 0})),
  born: (object) => withTemplateGeneration(object, 1),
  kept: withNextTemplateGeneration,
  check: workloadErrors,
});

export const statefulSetKind = nativeKind('apps/v1', 'StatefulSet', {
  empty: {
    spec: {serviceName: '', updateStrategy: {}, template: bareTemplate},
    status: {replicas: 0, availableReplicas: 0},
  },
  fields: {
    spec: record({
      ...shared,
      ordinals: anything,
      persistentVolumeClaimRetentionPolicy: withDefault(
        record({whenDeleted: withDefault(text, 'Retain'), whenScaled: withDefault(text, 'Retain')}),
        {},
      ),
      podManagementPolicy: withDefault(text, 'OrderedReady'),
      replicas: withDefault(whole, 1),
      serviceName: withDefault(text, ''),
      updateStrategy: record({type: text, rollingUpdate: anything}),
      volumeClaimTemplates: list(anything),
    }),
  },
  status: true,
  filled: (object) => withRollout(withTemplate(object), 'updateStrategy', {partition: 0}),
  check: (next, old) => [...workloadErrors(next, undefined), ...(old === undefined ? [] : statefulChange(next, old))],
});

function withTemplate(object: KubeObject): KubeObject {
  const template = filledTemplate(object.spec?.['template']);
  return template === undefined ? object : withAt(object, ['spec', 'template'], template);
}

/** Fills in the strategy RollingUpdate with these numbers, unless the object names another one. */
function withRollout(object: KubeObject, field: string, numbers: JsonObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  const given = spec[field];
  const said: JsonObject = isObject(given) ? given : {};
  const type = said['type'] ?? 'RollingUpdate';
  const rolling = isObject(said['rollingUpdate']) ? said['rollingUpdate'] : {};
  const full = type === 'RollingUpdate' ? {...said, type, rollingUpdate: {...numbers, ...rolling}} : said;
  return {...object, spec: {...spec, [field]: full}};
}

const templateGeneration = 'deprecated.daemonset.template.generation';

function withTemplateGeneration(object: KubeObject, generation: number): KubeObject {
  return withAt(object, ['metadata', 'annotations', templateGeneration], String(generation));
}

/** The annotation is a field of the Go struct, so every write of a DaemonSet writes it. */
function withGenerationNote(object: KubeObject): KubeObject {
  return object.metadata.annotations?.[templateGeneration] === undefined ? withTemplateGeneration(object, 0) : object;
}

/** Counts the templates of a DaemonSet. The client's value is ignored. */
function withNextTemplateGeneration(next: KubeObject, old: KubeObject): KubeObject {
  const before = Number(old.metadata.annotations?.[templateGeneration] ?? 0);
  const isOther = !equal(next.spec?.['template'], old.spec?.['template']);
  return withTemplateGeneration(next, isOther ? before + 1 : before);
}

function workloadErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const {selector = null, template} = next.spec ?? {};
  const isOther = old !== undefined && !equal(selector, old.spec?.['selector'] ?? null);
  return [
    ...selectorErrors(next),
    ...(isOther ? [invalidValue('spec.selector', selector, 'field is immutable')] : []),
    ...containersMissing(template, 'spec.template').map((field) => required(field)),
  ];
}

/** The error if rollingUpdate is left over beside `type: Recreate`. */
function recreateErrors({spec = {}}: KubeObject): readonly FieldError[] {
  const strategy = spec['strategy'];
  if (!isObject(strategy) || strategy['type'] !== 'Recreate' || strategy['rollingUpdate'] === undefined) return [];
  return [forbiddenField('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")];
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function statefulChange(next: KubeObject, old: KubeObject): readonly FieldError[] {
  const fixed = (object: KubeObject) =>
    Object.fromEntries(Object.entries(object.spec ?? {}).filter(([key]) => !changeable.includes(key)));
  if (equal(fixed(next), fixed(old))) return [];
  const names = changeable.map((name) => `'${name}'`);
  const last = names.pop();
  return [
    forbiddenField(
      'spec',
      `updates to statefulset spec for fields other than ${names.join(', ')} and ${last} are forbidden`,
    ),
  ];
}
