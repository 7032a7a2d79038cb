// The disaster before a restore, as the recorder made it: finalizers, owner references and the in-use label are taken off every
// object, then it is deleted. So no external resource is deleted with it. Running controllers see it happen; the recorder had
// stopped Crossplane and the provider.

import {api, type Step} from '../kernel/call.ts';
import {type KubeObject, refOf} from '../object.ts';
import {labelInUse} from '../vocabulary.ts';

const manager = 'wiper';
const body = {metadata: {finalizers: null, ownerReferences: null, labels: {[labelInUse]: null}}};

export function* wipe(objects: readonly KubeObject[]): Step<void> {
  for (const object of objects) {
    yield* api({verb: 'patch', type: 'merge', ref: refOf(object), body, manager});
    yield* api({verb: 'delete', ref: refOf(object)});
  }
}
