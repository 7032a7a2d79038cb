// Definitions that are being deleted: everything of their kinds goes with them, or keeps them from going. Also definitions that
// no API server would create as they are.

import {isNative, nativeAdvice} from '../../cluster/crossplane/native-mode.ts';
import {groupKindsDefined, nameWanted} from '../../cluster/defined-kinds.ts';
import {at, isList} from '../../cluster/json.ts';
import {groupKindOf, groupOf, isDeleting, type KubeObject} from '../../cluster/object.ts';
import {legacyFields} from '../input/source/legacy-definitions.ts';
import {findingOf, type Judged, type NotJudged} from './finding.ts';
import type {Inventory} from './inventory.ts';

export function checkDefinitions({objects}: Inventory): Judged {
  const counts = new Map<string, number>();
  for (const object of objects) counts.set(groupKindOf(object), (counts.get(groupKindOf(object)) ?? 0) + 1);
  const terminating = objects.filter((object) => isDeleting(object) && isCrossplanesDefinition(object));
  const findings = terminating.map((object) => {
    const instances = groupKindsDefined(object).reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    return findingOf(object, {class: 'definition-terminating', instances});
  });
  const refused = objects.flatMap((object) => {
    const fields = legacyFields(object);
    return fields.length === 0 ? [] : [findingOf(object, {class: 'definition-refused', fields})];
  });
  const misnamed = objects.flatMap((object) => {
    const expected = nameWanted(object);
    const isRight = expected === undefined || expected === object.metadata.name;
    return isRight ? [] : [findingOf(object, {class: 'definition-misnamed', expected})];
  });
  return {findings: [...findings, ...misnamed, ...refused], notJudged: nativeAmong(objects)};
}

/** Known by their resources: a Composition that a GitOps repository patches may lack both. */
function nativeAmong(objects: readonly KubeObject[]): readonly NotJudged[] {
  const native = objects.filter(
    (object) => object.kind === 'Composition' && isList(object.spec?.['resources']) && isNative(object, 'v1-and-v2'),
  );
  if (native.length === 0) return [];
  const what = `${native.length === 1 ? 'Composition' : 'Compositions'} without \`mode: Pipeline\` (first "${native[0]?.metadata.name}"): ${nativeAdvice}`;
  return [{what, count: native.length}];
}

/** Of XRs, claims and managed resources. */
export function isCrossplanesDefinition(object: KubeObject): boolean {
  return isXrd(object) || isCrossplanesCrd(object);
}

function isXrd({apiVersion, kind}: KubeObject): boolean {
  return kind === 'CompositeResourceDefinition' && groupOf(apiVersion) === 'apiextensions.crossplane.io';
}

function isCrossplanesCrd({kind, spec}: KubeObject): boolean {
  const categories = at(spec, ['names', 'categories']);
  const known = ['composite', 'claim', 'managed'];
  return (
    kind === 'CustomResourceDefinition' && isList(categories) && categories.some((one) => known.includes(String(one)))
  );
}
