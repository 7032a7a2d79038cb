// `${name:Kind/name}`, `${uid:Kind/name}`, `${name:resource=RESOURCE}`, `${label:resource=RESOURCE,KEY}`: live values inside what a
// scenario applies.

import type {Json} from '../../../cluster/json.ts';
import {isList, isObject} from '../../../cluster/json.ts';
import {remembering} from '../../../cluster/memo.ts';
import type {KubeObject} from '../../../cluster/object.ts';
import {resourceNameOf} from '../../../cluster/vocabulary.ts';
import type {Catalogue, Selector} from '../catalogue.ts';

const pattern = /\$\{(name|uid|label):([^},]+)(?:,([^}]+))?\}/g;

/**
 * True if a text in it may hold a placeholder. A value without any is applied as the file holds it, the same in memory: schemas in it
 * are read and compiled once for all runs.
 */
const mayHold = remembering((value: object): boolean => Object.values(value).some(holds));

function holds(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${');
  return typeof value === 'object' && value !== null && Object.values(value).some(holds);
}

/** `value` with every placeholder filled in. Answers a sentence where one names nothing that exists. */
export function fillPlaceholders(
  value: Json,
  catalogue: Catalogue,
): {readonly ok: true; readonly value: Json} | {readonly ok: false; readonly problem: string} {
  if (typeof value === 'object' && value !== null && !mayHold(value)) return {ok: true, value};
  let problem: string | undefined;
  const text = (raw: string): string =>
    raw.replace(pattern, (whole, what: string, target: string, label: string | undefined) => {
      const object = lookUp(target, catalogue);
      if (object === undefined) problem ??= `${whole} names no object that exists`;
      const value = what === 'label' ? object?.metadata.labels?.[label ?? ''] : object?.metadata[what];
      if (object !== undefined && value === undefined) problem ??= `${whole} names no label that the object has`;
      return String(value ?? whole);
    });
  const walk = (node: Json): Json => {
    if (typeof node === 'string') return node.includes('${') ? text(node) : node;
    if (isList(node)) return node.map(walk);
    if (!isObject(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, walk(item)]));
  };
  const filled = walk(value);
  return problem === undefined ? {ok: true, value: filled} : {ok: false, problem};
}

const byResource = 'resource=';

function lookUp(target: string, catalogue: Catalogue): KubeObject | undefined {
  if (target.startsWith(byResource)) {
    const resource = target.slice(byResource.length);
    return catalogue.all().find((object) => resourceNameOf(object) === resource);
  }
  const [kind = '', name = '', rest] = target.split('/');
  const selector: Selector = rest === undefined ? {kind, name} : {kind, namespace: name, name: rest};
  return catalogue.find(selector)[0];
}
