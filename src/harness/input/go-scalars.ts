// The value of a scalar without quotes. kubectl and `crossplane render` read manifests with sigs.k8s.io/yaml v1.6.0, for which
// go.yaml.in/yaml/v2 v2.4.4 resolve.go decides, by most of YAML 1.1: yes and on are true, 0777 is 511, 1_000 is 1000, << merges.
// Yet 12:30:45 and 2024-01-01 stay strings, and 0o17 is a number as well.

import type {ScalarTag, Tags} from 'yaml';
import {fromBase64} from '../../cluster/bytes.ts';

const core = 'tag:yaml.org,2002:';
const kept = ['map', 'seq', 'str', 'null', 'merge'].map((name) => core + name);

const isTrue = /^(?:[yY]|yes|Yes|YES|true|True|TRUE|on|On|ON)$/;
const isFalse = /^(?:[nN]|no|No|NO|false|False|FALSE|off|Off|OFF)$/;
const isInteger = /^[-+]?(?:0[xX][0-9a-fA-F_]*[0-9a-fA-F]_*|0[bB][01_]*[01]_*|0[oO]?[0-7_]*[0-7]_*|[1-9][0-9_]*|0_*)$/;
const isFloat = /^[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9][0-9_]*)?$/;
const isNotFinite = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The value of a plain scalar, if it is a boolean or a number that JSON has. */
export function goScalar(text: string): boolean | number | undefined {
  if (isTrue.test(text)) return true;
  if (isFalse.test(text)) return false;
  if (isInteger.test(text)) return integer(text);
  return isFloat.test(text) ? float(text) : undefined;
}

/** One that is too large is text. */
function float(text: string): number | undefined {
  const value = Number(text.replaceAll('_', ''));
  return Number.isFinite(value) ? value : undefined;
}

const own: readonly ScalarTag[] = [
  {tag: `${core}bool`, default: true, test: isTrue, resolve: () => true},
  {tag: `${core}bool`, default: true, test: isFalse, resolve: () => false},
  {tag: `${core}int`, default: true, test: isInteger, resolve: integer},
  {tag: `${core}float`, default: true, test: isFloat, resolve: (text) => float(text) ?? text},
  {tag: `${core}float`, default: true, test: isNotFinite, resolve: refuse},
  {tag: `${core}binary`, default: false, resolve: binary},
];

/** For `schema: 'yaml-1.1'` of the yaml package. */
export function goTags(tags: Tags): Tags {
  return [...tags.filter((tag) => typeof tag !== 'string' && kept.includes(tag.tag)), ...own];
}

function integer(text: string): number {
  const [, sign = '', prefix = '', digits = ''] =
    /^([-+]?)(0[xX]|0[bB]|0[oO]?(?=[0-7]))?(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const base = {x: '0x', b: '0b', o: '0o', '': ''}[prefix.slice(1).toLowerCase()] ?? '';
  const value = Number((prefix === '0' ? '0o' : base) + digits);
  return sign === '-' ? -value : value;
}

function binary(text: string, onError: (message: string) => void): string {
  try {
    return new TextDecoder().decode(fromBase64(text));
  } catch {
    onError('expected base64, got something else');
    return '';
  }
}

/** JSON has no such number, and so no object of Kubernetes. */
function refuse(text: string, onError: (message: string) => void): number {
  onError(`expected a number that JSON has, got ${text}`);
  return 0;
}
