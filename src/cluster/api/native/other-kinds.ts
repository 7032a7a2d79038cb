// Kinds of which the server makes little: accounts, ingresses, network policies, budgets, autoscalers, limits, classes.
//
// kubernetes/kubernetes v1.34 staging/src/k8s.io/api/{core/v1,networking/v1,policy/v1,autoscaling/v2,scheduling/v1}/types.go,
// pkg/apis/*/v1/defaults.go, pkg/apis/*/validation/validation.go. Not modelled: what is inside rules, peers and metrics.

import {equal, type JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, forbiddenField, invalidValue, printedInvalid} from '../errors.ts';
import type {KindDefinition} from '../kinds.ts';
import {
  anything,
  atomic,
  flag,
  list,
  listByKey,
  quantities,
  record,
  text,
  whole,
  wholeOrText,
  withDefault,
} from '../schema-pieces.ts';
import {isFilled, nativeKind} from './native-kind.ts';
import {labelSelector} from './pod-template.ts';

const serviceAccountKind = nativeKind('v1', 'ServiceAccount', {
  generation: false,
  fields: {
    automountServiceAccountToken: flag,
    imagePullSecrets: list(record({name: withDefault(text, '')})),
    secrets: listByKey(
      atomic(
        record({
          apiVersion: text,
          fieldPath: text,
          kind: text,
          name: text,
          namespace: text,
          resourceVersion: text,
          uid: text,
        }),
      ),
      'name',
    ),
  },
});

const networkPolicyKind = nativeKind('networking.k8s.io/v1', 'NetworkPolicy', {
  empty: {spec: {podSelector: {}}},
  fields: {
    spec: record({
      egress: list(anything),
      ingress: list(anything),
      podSelector: labelSelector,
      policyTypes: list(text),
    }),
  },
  filled: withPolicyTypes,
});

const disruptionBudgetKind = nativeKind('policy/v1', 'PodDisruptionBudget', {
  unconditionalUpdate: false,
  empty: {spec: {}, status: {disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0}},
  fields: {
    spec: record({
      maxUnavailable: wholeOrText,
      minAvailable: wholeOrText,
      selector: labelSelector,
      unhealthyPodEvictionPolicy: text,
    }),
  },
  status: true,
  check: ({spec = {}}) =>
    spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined
      ? [printedInvalid('spec', printedBudget(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : [],
});

const cpuMetric: JsonObject = {
  type: 'Resource',
  resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 80}},
};

const autoscalerKind = nativeKind('autoscaling/v2', 'HorizontalPodAutoscaler', {
  generation: false,
  empty: {
    spec: {scaleTargetRef: {kind: '', name: ''}, maxReplicas: 0},
    status: {desiredReplicas: 0, currentMetrics: null},
  },
  fields: {
    spec: record({
      behavior: anything,
      maxReplicas: whole,
      metrics: withDefault(list(anything), [cpuMetric]),
      minReplicas: withDefault(whole, 1),
      scaleTargetRef: record({apiVersion: text, kind: text, name: text}),
    }),
  },
  status: true,
});

const limitRangeKind = nativeKind('v1', 'LimitRange', {
  createdByUpdate: true,
  generation: false,
  empty: {spec: {limits: null}},
  fields: {spec: record({limits: list(anything)})},
});

const quotaKind = nativeKind('v1', 'ResourceQuota', {
  generation: false,
  empty: {spec: {}, status: {}},
  fields: {
    spec: record({
      hard: quantities,
      scopeSelector: anything,
      scopes: list(text),
    }),
  },
  status: true,
});

const priorityClassKind = nativeKind('scheduling.k8s.io/v1', 'PriorityClass', {
  namespaced: false,
  empty: {value: 0},
  fields: {
    description: text,
    globalDefault: flag,
    preemptionPolicy: withDefault(text, 'PreemptLowerPriority'),
    value: whole,
  },
  check: priorityErrors,
});

export const otherKinds: readonly KindDefinition[] = [
  serviceAccountKind,
  networkPolicyKind,
  disruptionBudgetKind,
  autoscalerKind,
  limitRangeKind,
  quotaKind,
  priorityClassKind,
];

/** As Go's struct, in the order of its fields. */
function printedBudget(spec: JsonObject): string {
  return JSON.stringify({
    MinAvailable: spec['minAvailable'] ?? null,
    Selector: spec['selector'] ?? null,
    MaxUnavailable: spec['maxUnavailable'] ?? null,
    UnhealthyPodEvictionPolicy: spec['unhealthyPodEvictionPolicy'] ?? null,
  });
}

function withPolicyTypes(object: KubeObject): KubeObject {
  const {spec} = object;
  if (spec === undefined) return object;
  const types = isFilled(spec['egress']) ? ['Ingress', 'Egress'] : ['Ingress'];
  return {
    ...object,
    spec: {
      podSelector: {},
      ...spec,
      policyTypes: isFilled(spec['policyTypes']) ? (spec['policyTypes'] ?? types) : types,
    },
  };
}

function priorityErrors(next: KubeObject, old: KubeObject | undefined): readonly FieldError[] {
  if (old === undefined) return [];
  const said = {value: next['value'] ?? 0, policy: next['preemptionPolicy'] ?? null};
  const errors: FieldError[] = [];
  if (said.value !== (old['value'] ?? 0)) errors.push(forbiddenField('value', 'may not be changed in an update.'));
  if (!equal(said.policy, old['preemptionPolicy'])) {
    errors.push(invalidValue('preemptionPolicy', said.policy, 'field is immutable'));
  }
  return errors;
}
