import {describe, expect, it} from 'vitest';
import {desired, emitted, type Given, marked, observed, planOf, table, usage, view, xr} from '../given.ts';

const pendingDeletion = {annotations: {'tether.fn.crossplane.io/phase': 'pending-deletion'}};

interface Story {
  readonly name: string;
  readonly reason: string;
  readonly given: Given;
  readonly want: {readonly [resourceName: string]: string};
}

const stories: readonly Story[] = [
  {
    name: 'Ordinary',
    reason: 'A resource under our controller reference that is desired passes.',
    given: {observed: [observed('db')], desired: [desired('db')]},
    want: {db: 'keep'},
  },
  {
    name: 'New',
    reason: 'A resource that is desired and not observed is created.',
    given: {desired: [desired('db')]},
    want: {db: 'create'},
  },
  {
    name: 'Dropped',
    reason: 'A resource that is ours and no longer desired may leave.',
    given: {observed: [observed('db')]},
    want: {db: 'release'},
  },
  {
    name: 'RestoredAndDropped',
    reason:
      'Composed GC skips a resource without a controller reference and the XR forgets it: releasing it orphans it.',
    given: {observed: [observed('db', {controller: 'nobody'})]},
    want: {db: 'hold (without-controller)'},
  },
  {
    name: 'RestoredAndDesired',
    reason: 'The apply that follows puts our controller reference on.',
    given: {observed: [observed('db', {controller: 'nobody'})], desired: [desired('db')]},
    want: {db: 'adopt (without-controller)'},
  },
  {
    name: 'OneUnadoptedHoldsAll',
    reason:
      'During a restore nothing leaves, not even what is ours already: the Composition may not know yet what it lost.',
    given: {
      observed: [observed('db', {controller: 'nobody'}), observed('queue'), observed('vpc')],
      desired: [desired('db'), desired('vpc')],
    },
    want: {db: 'adopt (without-controller)', queue: 'hold (restore-in-progress)', vpc: 'keep'},
  },
  {
    name: 'WhatIsRetainedWaitsForNobody',
    reason: 'It stays. Where another can never be adopted it was held for that in every second reconcile.',
    given: {
      observed: [observed('db', {controller: 'nobody'}), observed('queue')],
      desired: [desired('db')],
      input: {removal: {policies: [{match: {}, policy: 'Retain'}]}},
    },
    want: {db: 'adopt (without-controller)', queue: 'retain'},
  },
  {
    name: 'AdoptedThenReleased',
    reason: 'Once every observed resource is ours the change goes ahead.',
    given: {observed: [observed('db'), observed('queue'), observed('vpc')], desired: [desired('db'), desired('vpc')]},
    want: {db: 'keep', queue: 'release', vpc: 'keep'},
  },
  {
    name: 'StaleControllerDesired',
    reason: 'A controller reference with another UID is never taken over: it is reported.',
    given: {observed: [observed('db', {controller: 'stale'})], desired: [desired('db')]},
    want: {db: 'refuse (stale-controller)'},
  },
  {
    name: 'StaleControllerHoldsNothing',
    reason: 'What another UID controls is not adopted by waiting, so nothing waits for it.',
    given: {observed: [observed('db', {controller: 'stale'}), observed('queue')], desired: [desired('db')]},
    want: {db: 'refuse (stale-controller)', queue: 'release'},
  },
  {
    name: 'OneReconcileForTheOthers',
    reason: 'An apply that is rejected for good adopts nothing, and must not keep everything else for ever.',
    given: {
      observed: [observed('db', {controller: 'nobody'}), observed('queue', pendingDeletion)],
      desired: [desired('db')],
    },
    want: {db: 'adopt (without-controller)', queue: 'release'},
  },
  {
    name: 'ListedByAnybody',
    reason: 'An XR editor may list any object under any name: adopted, it would be deleted with the XR.',
    given: {observed: [observed('db', {controller: 'nobody', proof: 'none'}), observed('queue')]},
    want: {db: 'refuse (unproven)', queue: 'release'},
  },
  {
    name: 'ListedByAnybodyAndDesired',
    reason: 'What Crossplane adopts without function-tether it adopts with it; nothing waits for that.',
    given: {
      observed: [observed('db', {controller: 'nobody', proof: 'none'}), observed('queue')],
      desired: [desired('db')],
    },
    want: {db: 'keep', queue: 'release'},
  },
  {
    name: 'RestoredUsage',
    reason: 'A Usage is a composed resource like any other: it is adopted before it may leave.',
    given: {observed: [['u', usageWithoutController()]], desired: []},
    want: {u: 'hold (without-controller)'},
  },
];

describe('adopt first, then change', () => {
  for (const {name, reason, given, want} of stories) {
    it(name, () => expect(table(given), reason).toEqual(want));
  }

  it('puts an unadopted resource that is no longer desired back into desired, ready, under its own name', () => {
    const owned = {'f:spec': {'f:size': {}}};
    const result = planOf({observed: [observed('db', {controller: 'nobody', spec: {size: 's'}, owned})]});
    expect(result.edits.get('db')).toMatchObject({kind: 'put', ready: 'true'});
    expect(emitted(result, 'db')).toMatchObject({kind: 'Thing', metadata: {name: 'net-db'}, spec: {size: 's'}});
  });

  it('lets a released resource go: nothing puts it back', () => {
    expect(planOf({observed: [observed('db')]}).edits.has('db')).toBe(false);
  });

  it('changes nothing of a desired resource that another UID controls, not even its marks', () => {
    const result = planOf({observed: [observed('db', {controller: 'stale'})], desired: [desired('db')]});
    expect(result.edits.has('db')).toBe(false);
  });

  it('keeps an undesired resource that another UID controls in desired, because composed GC would stop the whole XR', () => {
    const result = planOf({observed: [observed('db', {controller: 'stale'})]});
    expect(emitted(result, 'db')['metadata']).not.toHaveProperty('ownerReferences');
  });

  it('names the controller it refuses to take a resource from', () => {
    const {decisions} = planOf({observed: [observed('db', {controller: 'stale'})], desired: [desired('db')]});
    expect(decisions.get('db')).toMatchObject({controller: {name: 'net', uid: 'xr-uid-before-restore'}});
  });

  it('names those that a restore still waits for', () => {
    const {decisions} = planOf({
      observed: [observed('z', {controller: 'nobody'}), observed('b', {controller: 'nobody'}), observed('q')],
      desired: [desired('z'), desired('b')],
    });
    expect(decisions.get('q')).toMatchObject({
      awaited: [
        {cause: 'unadopted', resourceName: 'b'},
        {cause: 'unadopted', resourceName: 'z'},
      ],
    });
  });
});

describe('marks', () => {
  it('marks every desired resource with the XR identity, its resource name and its phase', () => {
    const {edits} = planOf({observed: [observed('db')], desired: [desired('db'), desired('new')]});
    for (const name of ['db', 'new']) {
      expect(edits.get(name)).toEqual({
        kind: 'amend',
        overlay: {metadata: {labels: marked(name), annotations: {'tether.fn.crossplane.io/phase': 'adopted'}}},
      });
    }
  });

  it('marks with the same identity under another UID of the XR, and with another under another name', () => {
    const labelsUnder = (metadata: {name: string; uid: string}) => {
      const xr = view({apiVersion: 'platform.example.org/v1', kind: 'XNetwork', metadata});
      const edit = planOf({xr, desired: [desired('db')]}).edits.get('db');
      return edit?.kind === 'amend' ? edit.overlay.metadata.labels : undefined;
    };
    expect(labelsUnder({name: 'net', uid: 'another'})).toEqual(marked('db'));
    expect(labelsUnder({name: 'net2', uid: 'another'})).not.toEqual(marked('db'));
  });

  it('is looked at again in ten seconds, but not while the API server refuses an apply of the XR', () => {
    const given = (synced: string): Given => ({
      observed: [observed('db', {controller: 'nobody'})],
      desired: [desired('db')],
      xr: view({...xr.json(), status: {conditions: [{type: 'Synced', status: synced}]}}),
    });
    expect(planOf(given('True')).ttlAtMostSeconds).toBe(10);
    expect(planOf(given('False')).ttlAtMostSeconds).toBeUndefined();
  });

  it('marks what is being adopted, and what is kept only until it may leave', () => {
    const {edits} = planOf({
      observed: [observed('a', {controller: 'nobody'}), observed('b'), observed('c', {controller: 'nobody'})],
      desired: [desired('a')],
    });
    expect(edits.get('a')).toMatchObject({
      overlay: {metadata: {annotations: {'tether.fn.crossplane.io/phase': 'pending-adoption'}}},
    });
    const held = (name: string) => edits.get(name) as {object: object};
    expect(held('b').object).toHaveProperty(
      ['metadata', 'annotations', 'tether.fn.crossplane.io/phase'],
      'pending-deletion',
    );
    expect(held('c').object).toHaveProperty(
      ['metadata', 'annotations', 'tether.fn.crossplane.io/phase'],
      'pending-adoption',
    );
    expect(held('b').object).toHaveProperty(['metadata', 'labels', 'tether.fn.crossplane.io/resource'], 'b');
  });
});

function usageWithoutController() {
  const [, view] = usage('u', {of: 'a', by: 'b'});
  return {
    ...view,
    field: (path: readonly (string | number)[]) => (path[1] === 'ownerReferences' ? [] : view.field(path)),
  };
}
