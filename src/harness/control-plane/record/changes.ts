// The changes of an object, in the words of an operator: it came, became ready, was adopted, is being deleted, went; an XR lists
// it or forgets it. Other writes leave no change. Words are in words.ts.

import type {ApiRequest, ApiResponse, WatchEvent} from '../../../cluster/api/request.ts';
import {conditionOf, controllerOf, isDeleting, type KubeObject, shortName} from '../../../cluster/object.ts';
import {annotationExternalName} from '../../../cluster/vocabulary.ts';
import {concealedSentence} from '../../input/conceal/concealed-text.ts';
import {listedRefs} from '../../input/listed-refs.ts';
import type {Change} from './words.ts';

export function objectOf(change: Change): KubeObject | undefined {
  return (change as {readonly object?: KubeObject}).object;
}

/** The subject of a change, as `Kind/name`. */
export function subjectOf(change: Change): string | undefined {
  if (change.kind === 'refused' || change.kind === 'event') return change.about;
  const object = objectOf(change);
  return object === undefined ? undefined : shortName(object);
}

const shownConditions = ['Ready', 'Synced', 'Responsive', 'Tethered'];

/** The changes between one watch event and the version before it. */
export function changesOf(
  type: WatchEvent['type'],
  before: KubeObject | undefined,
  object: KubeObject,
): readonly Change[] {
  if (type === 'DELETED') return [{kind: 'gone', object}];
  const changes: Change[] = before === undefined && type === 'ADDED' ? [{kind: 'created', object}] : [];
  if (isDeleting(object) && (before === undefined || !isDeleting(before))) changes.push({kind: 'deleting', object});
  if (before === undefined) return changes;
  return [
    ...changes,
    ...ownership(before, object),
    ...conditions(before, object),
    ...references(before, object),
    ...names(before, object),
  ];
}

function ownership(before: KubeObject, object: KubeObject): readonly Change[] {
  const old = controllerOf(before);
  const owner = controllerOf(object);
  if (owner !== undefined && owner.uid !== old?.uid)
    return [{kind: 'adopted', object, by: `${owner.kind}/${owner.name}`}];
  return owner === undefined && old !== undefined ? [{kind: 'disowned', object}] : [];
}

function conditions(before: KubeObject, object: KubeObject): readonly Change[] {
  return shownConditions.flatMap((type): readonly Change[] => {
    const was = conditionOf(before, type);
    const is = conditionOf(object, type);
    if (is === undefined || (was?.status === is.status && was.reason === is.reason)) return [];
    const message = is.message === undefined || is.message === '' ? {} : {message: concealedSentence(is.message)};
    return [{kind: 'condition', object, type, status: is.status, reason: is.reason, ...message}];
  });
}

function references(before: KubeObject, object: KubeObject): readonly Change[] {
  const listed = (xr: KubeObject) => listedRefs(xr).map(({kind, name}) => `${kind}/${name}`);
  const [was, is] = [listed(before), listed(object)];
  const lost = was.filter((name) => !is.includes(name));
  const won = is.filter((name) => !was.includes(name));
  return [
    ...(lost.length === 0 ? [] : [{kind: 'forgotten', object, names: lost} as const]),
    ...(won.length === 0 ? [] : [{kind: 'listed', object, names: won} as const]),
  ];
}

function names(before: KubeObject, object: KubeObject): readonly Change[] {
  const was = before.metadata.annotations?.[annotationExternalName];
  const is = object.metadata.annotations?.[annotationExternalName];
  return is === undefined || is === was ? [] : [{kind: 'named', object, externalName: is}];
}

/** Refusals people ask about: denied deletes, invalid objects. Conflicts of two writers are everyday and left out. */
export function refusalOf(
  request: ApiRequest,
  response: ApiResponse,
): (Change & {readonly kind: 'refused'}) | undefined {
  if (response.ok || response.code === 404 || request.verb === 'get' || request.verb === 'list') return undefined;
  if (response.code === 409 && (response.reason === 'Conflict' || response.reason === 'AlreadyExists'))
    return undefined;
  if (response.code === 415) return undefined;
  return {
    kind: 'refused',
    about: subjectAsked(request),
    verb: request.verb,
    message: concealedSentence(response.message),
  };
}

/** The subject of a request, as `Kind/name`; the kind alone for a request about all of them. */
function subjectAsked(request: ApiRequest): string {
  switch (request.verb) {
    case 'create':
    case 'update':
      return shortName(request.object);
    case 'get':
    case 'patch':
    case 'delete':
      return `${request.ref.kind}/${request.ref.name}`;
    case 'list':
    case 'delete-collection':
      return request.kind;
  }
}
