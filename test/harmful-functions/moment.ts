// Functions that harm in one moment only: while something else waits, is on its way out, or has another input.

import {isList, isObject, type JsonObject} from '../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {askedInstead, isManaged, isTrue, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';

const isUsage = ({kind}: KubeObject): boolean => /Usage$/.test(kind);
const isXr = ({kind}: KubeObject): boolean => kind === 'App' || kind === 'Site';

export const moment: readonly Harmful[] = [
  row(
    'drops-what-waits-again',
    'drops what an order has come later while what comes before is not Ready',
    'creation-order',
    'first-unavailable',
    ({input, observed, answer}) => {
      const orders = isList(input['order']) ? (input['order'] as readonly JsonObject[]) : [];
      for (const {sequence, of, by} of orders) {
        const steps = isList(sequence) ? sequence : [of ?? {}, by ?? {}];
        const names = steps.map((step) =>
          isObject(step) && isList(step['resources']) ? step['resources'].map(String) : [],
        );
        names.forEach((first, at) => {
          const isWaiting = first.some((name) => {
            const one = observed.get(name);
            return one !== undefined && isManaged(one) && !isTrue(one, 'Ready');
          });
          if (isWaiting) for (const later of names.slice(at + 1).flat()) answer.resources.delete(later);
        });
      }
    },
  ),
  row(
    'protects-the-first-alone',
    'protects only the first of several resources',
    'protected',
    'two-protected',
    ({answer: {resources}, xr}) => {
      const all = [...resources].filter(([, {object}]) => {
        const of = object.spec?.['of'];
        return isUsage(object) && object.spec?.['by'] === undefined && isObject(of) && of['kind'] !== xr.kind;
      });
      for (const [name] of all.slice(1)) resources.delete(name);
    },
  ),
  row(
    'adds-a-second-owner',
    'gives each resource the first one as an owner, too',
    'stale-controller',
    'xr-alone',
    ({observed, answer}) => {
      const [first] = [...observed].filter(([, one]) => isManaged(one));
      if (first === undefined) return;
      const [key, {apiVersion, kind, metadata}] = first;
      const owner = {apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', blockOwnerDeletion: true};
      each(
        answer,
        ({metadata: own}) => own?.namespace === metadata.namespace || metadata.namespace === undefined,
        (one, name) => (name === key ? one : withField(one, ['metadata', 'ownerReferences'], [owner])),
      );
    },
  ),
  row(
    'pins-nested-compositions',
    'has nested XRs stay with the revision of their Composition',
    'kind-changed',
    'nested-edit',
    ({observed, answer}) => {
      each(answer, isXr, (one, name) => {
        const isNested = observed.get(name)?.spec?.['crossplane'] !== undefined;
        return withField(
          one,
          isNested ? ['spec', 'crossplane', 'compositionUpdatePolicy'] : ['spec', 'compositionUpdatePolicy'],
          'Manual',
        );
      });
    },
  ),
  {
    name: 'uses-the-last-input',
    breaks: 'does as the input of the call before says',
    reason: 'nothing-selected',
    story: 'exchange',
    wrap: (honest) => {
      let last: JsonObject | undefined;
      return askedInstead(honest, (input) => {
        const before = last ?? input;
        last = input;
        return before;
      });
    },
  },
  row('pauses-what-is-going', 'pauses what is being deleted', 'still-deleting', 'remade', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const old = observed.get(name);
      return old !== undefined && isDeleting(old)
        ? withField(one, ['metadata', 'annotations', 'crossplane.io/paused'], 'true')
        : one;
    });
  }),
];
