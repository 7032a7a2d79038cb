// The annotations by which the managed reconciler keeps what it must not forget, and the few by which users steer it.
// Source: crossplane/crossplane-runtime 4e7ed235 pkg/meta/meta.go:280-440. Times have a resolution of one second; a value
// that is no RFC 3339 time counts as absent.

import type {KubeObject} from '../object.ts';
import {parseTimestamp, timestamp} from '../timestamp.ts';
import {
  annotationCreateFailed,
  annotationCreatePending,
  annotationCreateSucceeded,
  annotationExternalName,
  annotationPollInterval,
} from '../vocabulary.ts';

const annotationReconcileRequestedAt = 'crossplane.io/reconcile-requested-at';

export function annotationsOf(object: KubeObject): {readonly [key: string]: string} {
  return object.metadata.annotations ?? {};
}

/** A copy of the object with `added` over its annotations. */
export function withAnnotations(object: KubeObject, added: {readonly [key: string]: string}): KubeObject {
  return {...object, metadata: {...object.metadata, annotations: {...annotationsOf(object), ...added}}};
}

/** '' where the object has none. */
export function externalNameOf(object: KubeObject): string {
  return annotationsOf(object)[annotationExternalName] ?? '';
}

export function withExternalName(object: KubeObject, name: string): KubeObject {
  return withAnnotations(object, {[annotationExternalName]: name});
}

export function withCreateTime(
  object: KubeObject,
  annotation: typeof annotationCreatePending | typeof annotationCreateSucceeded | typeof annotationCreateFailed,
  nowMs: number,
): KubeObject {
  return withAnnotations(object, {[annotation]: timestamp(nowMs)});
}

/** True if the outcome of a create is unknown: pending is newer than succeeded and failed. */
export function isCreateIncomplete(object: KubeObject): boolean {
  const pending = timeOf(object, annotationCreatePending);
  if (pending === undefined) return false;
  const succeeded = timeOf(object, annotationCreateSucceeded);
  const failed = timeOf(object, annotationCreateFailed);
  return pending > Math.max(succeeded ?? -Infinity, failed ?? -Infinity);
}

/** True if the create succeeded less than `graceMs` ago. A time to come is within any grace. */
export function didCreateSucceedWithin(object: KubeObject, graceMs: number, nowMs: number): boolean {
  const succeeded = timeOf(object, annotationCreateSucceeded);
  return succeeded !== undefined && nowMs - succeeded < graceMs;
}

/** Undefined where the object asks for none, or for something that is no positive Go duration. */
export function pollIntervalMsOf(object: KubeObject): number | undefined {
  const ms = durationMs(annotationsOf(object)[annotationPollInterval] ?? '');
  return ms !== undefined && ms > 0 ? ms : undefined;
}

/** The token of a request to reconcile; undefined where there is none. */
export function reconcileRequestOf(object: KubeObject): string | undefined {
  const token = annotationsOf(object)[annotationReconcileRequestedAt];
  return token === undefined || token === '' ? undefined : token;
}

/** Milliseconds of a Go duration such as `1m30s` or `1.5h`; undefined where the text is none. */
export function durationMs(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, number = '', unit = ''] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)/g))
    total += Number(number) * (unitMs[unit] ?? 0);
  return text.startsWith('-') ? -total : total;
}

const unitMs: {readonly [unit: string]: number} = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function timeOf(object: KubeObject, annotation: string): number | undefined {
  const value = annotationsOf(object)[annotation];
  if (value === undefined) return undefined;
  const offset = /^(.*T[^Z+-]*)([+-])(\d\d):(\d\d)$/.exec(value);
  if (offset === null) return parseTimestamp(value);
  const [, local = '', sign, hours = '0', minutes = '0'] = offset;
  const localMs = parseTimestamp(`${local}Z`);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return localMs === undefined ? undefined : localMs - (sign === '-' ? -offsetMs : offsetMs);
}
