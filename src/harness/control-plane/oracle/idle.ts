// Managed resources that no provider ever touches, because they have no managementPolicies: a provider takes that for the
// empty list, which pauses. The CustomResourceDefinitions of providers default it to ["*"]; one written by hand may not.

import {conditionOf, type KubeObject} from '../../../cluster/object.ts';
import {isPaused} from '../../../cluster/paused.ts';
import {managementPoliciesOf} from '../../../cluster/provider/policies.ts';

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
