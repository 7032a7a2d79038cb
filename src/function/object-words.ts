import type {ObjectRef} from '../lifecycle/words/decision.ts';

// What resources and objects are called in sentences. Whoever may write an object may write names of any length into it, and kinds that
// are none: of those no sentence says more than anything is called, and each stays one line.

/** No object is called by more. */
const lengthMax = 253;

export function composed(resourceName: string): string {
  return `composed resource ${quoted(resourceName)}`;
}

export function named({kind, namespace, name}: ObjectRef): string {
  return `${word(kind)} ${quoted(namespace === '' ? name : `${namespace}/${name}`)}`;
}

export function kindOf({apiVersion, kind}: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${word(kind)} of ${word(apiVersion)}`;
}

/** A kind, a version or a uid as it is; what can be none is quoted. */
export function word(text: string): string {
  return text.length <= lengthMax && /^[\w./-]+$/.test(text) ? text : quoted(text);
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text);
}
