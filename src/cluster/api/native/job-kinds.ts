// Job and CronJob: a Job selects its pods by its own uid, and its template never changes.
//
// kubernetes/kubernetes v1.34 pkg/apis/batch/{v1/defaults,validation/validation}.go, pkg/registry/batch/job/strategy.go
// generateSelector. Not modelled: indexed and suspended jobs, selectors of one's own, what is refused of schedules, and how Go prints the template that may not
// change.

import {equal, isObject, type Json, type JsonObject, withAt} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, printedInvalid, required} from '../errors.ts';
import {anything, flag, record, text, whole, withDefault} from '../schema-pieces.ts';
import {selectorErrors} from './label-selector.ts';
import {nativeKind} from './native-kind.ts';
import {
  bareTemplate,
  containersMissing,
  filledTemplate,
  labelSelector,
  podTemplate,
  templateMetadata,
} from './pod-template.ts';

const jobSpec = {
  activeDeadlineSeconds: whole,
  backoffLimit: withDefault(whole, 6),
  backoffLimitPerIndex: whole,
  completionMode: withDefault(text, 'NonIndexed'),
  completions: whole,
  managedBy: text,
  manualSelector: withDefault(flag, false),
  maxFailedIndexes: whole,
  parallelism: whole,
  podFailurePolicy: anything,
  podReplacementPolicy: withDefault(text, 'TerminatingOrFailed'),
  selector: labelSelector,
  successPolicy: anything,
  suspend: withDefault(flag, false),
  template: podTemplate,
  ttlSecondsAfterFinished: whole,
};

export const jobKind = nativeKind('batch/v1', 'Job', {
  deletedAs: 'Orphan',
  empty: {spec: {template: bareTemplate}, status: {}},
  fields: {spec: record(jobSpec)},
  status: true,
  filled: filledJob,
  born: bornJob,
  check: jobErrors,
});

/** The Jobs of a CronJob have no defaults of their own until they are made. */
const plainJobSpec = Object.fromEntries(Object.entries(jobSpec).map(([key, schema]) => [key, withoutDefault(schema)]));

export const cronJobKind = nativeKind('batch/v1', 'CronJob', {
  empty: {spec: {schedule: '', jobTemplate: {metadata: {}, spec: {template: bareTemplate}}}, status: {}},
  fields: {
    spec: record({
      concurrencyPolicy: withDefault(text, 'Allow'),
      failedJobsHistoryLimit: withDefault(whole, 1),
      jobTemplate: record({metadata: withDefault(templateMetadata, {}), spec: record(plainJobSpec)}),
      schedule: text,
      startingDeadlineSeconds: whole,
      successfulJobsHistoryLimit: withDefault(whole, 3),
      suspend: withDefault(flag, false),
      timeZone: text,
    }),
  },
  status: true,
  filled: (object) => withTemplateAt(object, ['spec', 'jobTemplate', 'spec', 'template']),
  check: ({spec = {}}) => [
    ...((spec['schedule'] ?? '') === '' ? [required('spec.schedule')] : []),
    ...templateErrors(within(spec, 'jobTemplate', 'spec', 'template'), 'spec.jobTemplate.spec.template'),
  ],
});

function withoutDefault(schema: JsonObject): JsonObject {
  const {default: _, ...rest} = schema;
  return rest;
}

function filledJob(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  const {parallelism} = spec;
  const once = spec['completions'] === undefined && parallelism === undefined ? {completions: 1} : {};
  return withTemplateLabels(
    withTemplateAt({...object, spec: {parallelism: 1, ...once, ...spec}}, ['spec', 'template']),
  );
}

/** A Job without labels has those of its pods. */
function withTemplateLabels(object: KubeObject): KubeObject {
  const {labels} = object.metadata;
  const ofPods = within(object.spec ?? {}, 'template', 'metadata', 'labels');
  if (!isObject(ofPods) || (labels !== undefined && Object.keys(labels).length > 0)) return object;
  return withAt(object, ['metadata', 'labels'], ofPods);
}

function withTemplateAt(object: KubeObject, path: readonly string[]): KubeObject {
  const [, ...below] = path;
  const template = filledTemplate(within(object.spec ?? {}, ...below));
  return template === undefined ? object : withAt(object, path, template);
}

function within(value: JsonObject, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((current, key) => (isObject(current) ? current[key] : undefined), value);
}

function bornJob(object: KubeObject): KubeObject {
  const {spec = {}, metadata} = object;
  if (spec['manualSelector'] === true) return object;
  const {uid = '', name} = metadata;
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const before = within(spec, 'template', 'metadata', 'labels');
  const labelled = withAt(spec, ['template', 'metadata', 'labels'], {...(isObject(before) ? before : {}), ...labels});
  const selector = {matchLabels: {'batch.kubernetes.io/controller-uid': uid}};
  // Labels that were taken from the template are one map with it in Go, so they grow with it.
  const isShared = metadata.labels === undefined || equal(metadata.labels, before);
  const grown = isShared ? withAt(object, ['metadata', 'labels'], {...metadata.labels, ...labels}) : object;
  return {...grown, spec: {...labelled, selector}};
}

function jobErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  const {spec = {}} = next;
  const before = old?.spec;
  const fixed = before === undefined ? [] : ['completions', 'selector', 'template', 'completionMode'];
  return [
    ...selectorErrors(next),
    ...templateErrors(spec['template'], 'spec.template'),
    ...fixed
      .filter((field) => !equal(spec[field], before?.[field]))
      .map((field) => printedInvalid(`spec.${field}`, JSON.stringify(spec[field] ?? null), 'field is immutable')),
  ];
}

function templateErrors(template: Json | undefined, path: string): readonly FieldError[] {
  const policy = isObject(template) ? within(template, 'spec', 'restartPolicy') : undefined;
  const errors = containersMissing(template, path).map((field) => required(field));
  if (policy === 'OnFailure' || policy === 'Never') return errors;
  const place = `${path}.spec.restartPolicy`;
  const problem = required(place, 'valid values: "OnFailure", "Never"');
  return [...errors, problem];
}
