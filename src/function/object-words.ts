import type {ObjectRef} from '../lifecycle/decision.ts';

// What resources and objects are called in sentences.

export function composed(resourceName: string): string {
  return `composed resource ${quoted(resourceName)}`;
}

export function named({kind, namespace, name}: ObjectRef): string {
  return `${kind} ${quoted(namespace === '' ? name : `${namespace}/${name}`)}`;
}

export function kindOf({apiVersion, kind}: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${kind} of ${apiVersion}`;
}

export function quoted(text: string): string {
  return JSON.stringify(text);
}
