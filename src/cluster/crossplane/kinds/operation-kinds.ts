// The kinds Operation, CronOperation and WatchOperation of Crossplane v2. crossplane/crossplane 2d040d2da
// cluster/crds/ops.crossplane.io_{operations,cronoperations,watchoperations}.yaml, the same in v2.3.4. They are installed
// whether or not Crossplane runs operations. The metadata of a template knows no field, so all that is in it is pruned.

import {type KindDefinition, oneVersionKind} from '../../api/kinds.ts';
import {
  anything,
  choice,
  immutable,
  list,
  listByKey,
  record,
  resource,
  ruled,
  text,
  textMap,
  withDefault,
} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';
import {operationStepSchema} from './composition-kinds.ts';

const conditions = conditionList(true);
const integer: JsonObject = {type: 'integer', format: 'int64'};
const count: JsonObject = {type: 'integer', format: 'int32'};
const time: JsonObject = {type: 'string', format: 'date-time'};

/** None before v2. */
export function operationKinds(profile: Profile): readonly KindDefinition[] {
  if (profile.operations === 'none') return [];
  const operation = operationSpec();
  const template = record({metadata: {type: 'object'}, spec: operation}, ['spec']);
  const history = {
    concurrencyPolicy: choice(['Allow', 'Forbid', 'Replace'], 'Allow'),
    failedHistoryLimit: withDefault(count, 1),
    successfulHistoryLimit: withDefault(count, 3),
    operationTemplate: template,
  };
  const runs = {
    conditions,
    lastScheduleTime: time,
    lastSuccessfulTime: time,
    runningOperationRefs: list(record({name: text}, ['name'])),
  };
  const cron = record({...history, schedule: text, startingDeadlineSeconds: integer}, [
    'operationTemplate',
    'schedule',
  ]);
  const watch = record(
    {
      apiVersion: ruled(text, ['apiVersion is immutable', immutable[1]]),
      kind: ruled(text, ['kind is immutable', immutable[1]]),
      matchLabels: textMap,
      namespace: text,
    },
    ['apiVersion', 'kind'],
  );
  const watching = record({...history, watch}, ['operationTemplate', 'watch']);
  return [
    operationKind('Operation', resource(operation, operationStatus)),
    operationKind('CronOperation', resource(cron, record(runs))),
    operationKind('WatchOperation', resource(watching, record({...runs, watchingResources: integer}))),
  ];
}

const operationStatus = record({
  conditions,
  failures: integer,
  pipeline: list(record({step: text, output: anything}, ['step'])),
  appliedResourceRefs: list(
    record({apiVersion: text, kind: text, name: text, namespace: text}, ['apiVersion', 'kind', 'name']),
  ),
});

function operationSpec(): JsonObject {
  const pipeline = {...listByKey(operationStepSchema(), 'step'), minItems: 1, maxItems: 99};
  return record({mode: choice(['Pipeline'], 'Pipeline'), pipeline, retryLimit: integer}, ['mode', 'pipeline']);
}

function operationKind(kind: string, schema: JsonObject): KindDefinition {
  return oneVersionKind('ops.crossplane.io/v1alpha1', kind, schema, {rare: true});
}
