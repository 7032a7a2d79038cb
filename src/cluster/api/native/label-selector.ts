// The check that a selector matches the labels of the template beside it, for every kind that makes pods.
// kubernetes/apimachinery eed236ce pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector.

import {at, isList, isObject, type Json, type JsonObject} from '../../json.ts';
import type {KubeObject} from '../../object.ts';
import {type FieldError, invalidValue, required} from '../errors.ts';

export function selectorErrors({kind, spec = {}}: KubeObject): readonly FieldError[] {
  const {selector, template} = spec;
  const labels = at(template, ['metadata', 'labels']) ?? null;
  if (selector !== undefined && selects(selector, isObject(labels) ? labels : {})) return [];
  const field = 'spec.template.metadata.labels';
  // Only a DaemonSet is not asked whether it has one.
  const missing = selector === undefined && kind !== 'DaemonSet' ? [required('spec.selector')] : [];
  return [...missing, invalidValue(field, labels, '`selector` does not match template `labels`')];
}

function selects(selector: Json, labels: JsonObject): boolean {
  if (!isObject(selector)) return false;
  const {matchLabels, matchExpressions} = selector;
  const plain = isObject(matchLabels) ? Object.entries(matchLabels) : [];
  const expressions = isList(matchExpressions) ? matchExpressions.filter(isObject) : [];
  return plain.every(([key, value]) => labels[key] === value) && expressions.every((one) => holds(one, labels));
}

function holds({key, operator, values}: JsonObject, labels: JsonObject): boolean {
  const value = labels[String(key)];
  const among = isList(values) && value !== undefined && values.includes(value);
  switch (operator) {
    case 'In':
      return among;
    case 'NotIn':
      return !among;
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
