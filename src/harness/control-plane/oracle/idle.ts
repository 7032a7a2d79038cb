// Managed resources that no provider ever touches, because they have no managementPolicies: a provider takes that for the
// empty list, which pauses. The CustomResourceDefinitions of providers default it to ["*"]; one written by hand may not. And
// objects that an annotation pauses.

import {conditionOf, type KubeObject} from '../../../cluster/object.ts';
import {managementPoliciesOf} from '../../../cluster/provider/policies.ts';
import {isPaused} from '../../../cluster/vocabulary.ts';
import {listed} from '../../input/listed.ts';

/** Advice for the fixtures: a sentence for each kind, with one of its objects. */
export function idleManaged(objects: readonly KubeObject[]): readonly string[] {
  const idle = objects.filter(
    (object) =>
      conditionOf(object, 'Synced')?.reason === 'ReconcilePaused' &&
      managementPoliciesOf(object) === undefined &&
      !isPaused(object),
  );
  const firsts = new Map(idle.toReversed().map((object) => [object.kind, object]));
  return [...firsts.values()]
    .toReversed()
    .map(
      ({kind, metadata}) =>
        `${kind} "${metadata.name}" is paused because it has no managementPolicies: give spec.managementPolicies of its CustomResourceDefinition in \`fixtures\` the default ["*"], as providers do`,
    );
}

/** A sentence about the objects that their annotation pauses, as their conditions show. */
export function pausedByHand(objects: readonly KubeObject[]): readonly string[] {
  const paused = objects.filter((one) => isPaused(one) && conditionOf(one, 'Synced')?.reason === 'ReconcilePaused');
  const names = paused.map(({kind, metadata}) => `${kind} "${metadata.name}"`);
  return names.length === 0 ? [] : [`the annotation crossplane.io/paused pauses ${listed(names, 3)}`];
}
