import {at} from '../../json.ts';
import {type CacheView, keyOf} from '../../kernel/process.ts';
import type {GroupVersionKind, KubeObject} from '../../object.ts';
import {labelCompositionName} from '../../vocabulary.ts';
import type {XrFields} from '../xr.ts';

/**
 * The keys of the XRs a revision may concern: of its Composition, and not with policy Manual.
 * crossplane/crossplane 2d040d2da internal/controller/apiextensions/definition/handlers.go (CompositionRevisionMapFunc).
 */
export function compositionOfRevision(
  revision: KubeObject,
  composite: GroupVersionKind,
  fields: XrFields,
  cache: CacheView,
): readonly string[] {
  const name = revision.metadata.labels?.[labelCompositionName];
  if (name === undefined) return [];
  const ref = at(revision.spec, ['compositeTypeRef']) as GroupVersionKind | undefined;
  if (ref?.apiVersion !== composite.apiVersion || ref.kind !== composite.kind) return [];
  const xrs = cache.list(composite);
  return xrs.filter((xr) => follows(xr, name, fields)).map((xr) => keyOf(xr.metadata));
}

function follows(xr: KubeObject, compositionName: string, fields: XrFields): boolean {
  return fields.updatePolicy(xr) !== 'Manual' && fields.compositionName(xr) === compositionName;
}
