import {describe, expect, it} from 'vitest';
import type {JsonObject} from '../../../src/lifecycle/words/json.ts';
import {desired, desiredUsage, type Given, observed, planOf, table, usage, view, xr, xrUid} from '../given.ts';

const thing = (name: string, metadata: object = {}) =>
  view({apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', metadata: {name: `net-${name}`, ...metadata}});
const lingering = thing('app', {
  deletionTimestamp: '2026-01-01T00:00:00Z',
  ownerReferences: [
    {apiVersion: 'platform.example.org/v1', kind: 'XNetwork', name: 'net', uid: xrUid, controller: true},
  ],
});

interface Story {
  readonly name: string;
  readonly reason: string;
  readonly given: Given;
  readonly want: {readonly [resourceName: string]: string};
}

// `db` is used by `app`, and the Usage `u` says so.
const u = usage('u', {of: 'db', by: 'app'});

const ordered: readonly Story[] = [
  {
    name: 'AllThreeDropped',
    reason: '`by` leaves first; the Usage and `of` stay, because composed GC would delete all three in random order.',
    given: {observed: [observed('db'), observed('app'), u]},
    want: {app: 'release', db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
  },
  {
    name: 'UsagesInACircle',
    reason:
      'Two steps ordered the two the other way round, and none of them does any more: with both nothing would ever go.',
    given: {observed: [observed('db'), observed('app'), u, usage('back', {of: 'app', by: 'db'})]},
    want: {
      app: 'hold (usage-leaves-first)',
      back: 'release',
      db: 'hold (usage-leaves-first)',
      u: 'release',
    },
  },
  {
    name: 'ByDeletingAndStillObserved',
    reason: 'A deletionTimestamp means still there.',
    given: {observed: [observed('db'), observed('app', {deleting: true}), u]},
    want: {app: 'release', db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
  },
  {
    name: 'ByDeletingAndDesired',
    reason: 'Another object takes its name later; this one goes, and uses `of` until then.',
    given: {observed: [observed('db'), observed('app', {deleting: true}), u], desired: [desired('app')]},
    want: {app: 'keep', db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
  },
  {
    name: 'ByNotObservedNotLookedFor',
    reason: 'The XR forgets a resource in the reconcile that deletes it; until it was looked for it counts as there.',
    given: {observed: [observed('db'), u]},
    want: {db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
  },
  {
    name: 'ByLingersOnItsFinalizer',
    reason: 'Not observed is not gone: the object still lives.',
    given: {observed: [observed('db'), u], required: {'by-of-u': [lingering]}},
    want: {db: 'hold (still-used-by)', u: 'hold (by-still-exists)'},
  },
  {
    name: 'ByGone',
    reason: 'The Usage leaves before `of`, in a reconcile of its own: the webhook would deny the deletion of `of`.',
    given: {observed: [observed('db'), u], required: {'by-of-u': []}},
    want: {db: 'hold (usage-leaves-first)', u: 'release'},
  },
  {
    name: 'UsageGoneButItsLabelStillOn',
    reason: 'The in-use label goes last; while it is on the webhook is asked.',
    given: {observed: [observed('db', {labels: {'crossplane.io/in-use': 'true'}})]},
    want: {db: 'hold (in-use)'},
  },
  {
    name: 'UsageGone',
    reason: 'Nothing protects `of` any more.',
    given: {observed: [observed('db')]},
    want: {db: 'release'},
  },
  {
    name: 'OnlyOfDropped',
    reason: 'A Usage that stays denies the deletion of `of`, and one denial stops the whole XR.',
    given: {observed: [observed('db'), observed('app'), u], desired: [desired('app'), desiredUsage('u')]},
    want: {app: 'keep', db: 'hold (still-used-by)', u: 'keep'},
  },
  {
    name: 'OfAndUsageDropped',
    reason: 'The Composition wants the order no longer: the Usage leaves, and `of` in a later reconcile.',
    given: {observed: [observed('db'), observed('app'), u], desired: [desired('app')]},
    want: {app: 'keep', db: 'hold (usage-leaves-first)', u: 'release'},
  },
  {
    name: 'OnlyUsageDropped',
    reason: 'Both ends stay: the order is no longer wanted.',
    given: {observed: [observed('db'), observed('app'), u], desired: [desired('app'), desired('db')]},
    want: {app: 'keep', db: 'keep', u: 'release'},
  },
  {
    name: 'ByAndUsageDropped',
    reason: '`of` stays, yet the Usage must outlive `by`, or `of` loses its protection while `by` uses it.',
    given: {observed: [observed('db'), observed('app'), u], desired: [desired('db')]},
    want: {app: 'release', db: 'keep', u: 'hold (by-still-exists)'},
  },
  {
    name: 'UsageOfAForeignBy',
    reason: 'A `by` that is none of this XR does not keep a Usage that its Composition dropped.',
    given: {observed: [observed('db'), u], desired: [desired('db')], required: {'by-of-u': [thing('app')]}},
    want: {db: 'keep', u: 'release'},
  },
  {
    name: 'OfProtectedByAUsageForAReason',
    reason: 'A Usage without `by` that stays protects `of` for as long as it stays.',
    given: {
      observed: [observed('db'), usage('u', {of: 'db', reason: 'production'})],
      desired: [desiredUsage('u')],
    },
    want: {db: 'hold (protected)', u: 'keep'},
  },
  {
    name: 'UsageForAReasonDroppedWithOf',
    reason: 'Also a Usage without `by` leaves first, and alone.',
    given: {observed: [observed('db'), usage('u', {of: 'db', reason: 'production'})]},
    want: {db: 'hold (usage-leaves-first)', u: 'release'},
  },
  {
    name: 'AChain',
    reason: 'Only the last user leaves; what it uses waits, and what that uses too.',
    given: {
      observed: [observed('db'), observed('app'), observed('web'), u, usage('v', {of: 'app', by: 'web'})],
    },
    want: {
      app: 'hold (still-used-by)',
      db: 'hold (still-used-by)',
      u: 'hold (by-still-exists)',
      v: 'hold (by-still-exists)',
      web: 'release',
    },
  },
  {
    name: 'TwoUsers',
    reason: '`of` waits for the last of its users.',
    given: {
      observed: [observed('db'), observed('app'), u, usage('v', {of: 'db', by: 'web'})],
      desired: [desired('app'), desiredUsage('u')],
      required: {'by-of-v': []},
    },
    want: {app: 'keep', db: 'hold (still-used-by)', u: 'keep', v: 'release'},
  },
  {
    name: 'SelectorNotResolved',
    reason: 'A Usage whose `of` is not resolved protects nothing yet; only the in-use label can tell.',
    given: {
      observed: [
        observed('db'),
        [
          'u',
          view({
            ...u[1].json(),
            spec: {
              of: {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', resourceSelector: {matchLabels: {a: 'b'}}},
            },
          }),
        ],
      ],
    },
    want: {db: 'release', u: 'release'},
  },
];

describe('order along the Usages that are seen, with an empty input', () => {
  for (const {name, reason, given, want} of ordered) {
    it(name, () => expect(table(given), reason).toEqual(want));
  }

  it.each([
    ['protection.crossplane.io/v1beta1', 'ClusterUsage'],
    ['protection.crossplane.io/v1beta1', 'Usage'],
    ['apiextensions.crossplane.io/v1beta1', 'Usage'],
    ['apiextensions.crossplane.io/v1alpha1', 'Usage'],
  ])('knows the Usage %s %s', (apiVersion, kind) => {
    const known = usage('u', {of: 'db', by: 'app', apiVersion, kind});
    expect(table({observed: [observed('db'), observed('app'), known]})).toMatchObject({db: 'hold (still-used-by)'});
  });

  it('does not take a kind of another group for a Usage', () => {
    const other = usage('u', {of: 'db', by: 'app', apiVersion: 'energy.example.org/v1', kind: 'Usage'});
    expect(table({observed: [observed('db'), observed('app'), other]})).toEqual({
      app: 'release',
      db: 'release',
      u: 'release',
    });
  });

  it('compares ends by group and not by version, because a template may have moved on', () => {
    const [, moved] = observed('db');
    const v2 = view({...moved.json(), apiVersion: 'ec2.example.org/v2'});
    expect(table({observed: [['db', v2], observed('app'), u]})).toMatchObject({db: 'hold (still-used-by)'});
  });

  it('does not confuse equal names of different kinds', () => {
    const other = observed('db', {kind: 'OtherThing'});
    expect(table({observed: [other, observed('app'), u]})).toMatchObject({db: 'release'});
  });

  it('finds a cluster-scoped `by` of a namespaced Usage', () => {
    const namespaced = usage('u', {of: 'db', by: 'app', namespace: 'team'});
    const given = {observed: [observed('db', {namespace: 'team'}), observed('app'), namespaced]};
    expect(table(given)).toEqual({app: 'release', db: 'hold (still-used-by)', u: 'hold (by-still-exists)'});
  });

  it('names all users in the order of their Usages', () => {
    const given = {observed: [observed('db'), observed('app'), observed('web'), usage('v', {of: 'db', by: 'web'}), u]};
    const {decisions} = planOf(given);
    expect(decisions.get('db')).toMatchObject({by: [{resourceName: 'app'}, {resourceName: 'web'}], usages: ['u', 'v']});
  });

  it('says who waits for whom', () => {
    const {decisions} = planOf({observed: [observed('db'), observed('app'), u]});
    expect(decisions.get('db')).toMatchObject({by: [{resourceName: 'app', object: {name: 'net-app'}}], usages: ['u']});
  });
});

describe('looking for a `by` that is no longer observed', () => {
  it('asks for it by name, from the Usage', () => {
    const {requirements} = planOf({observed: [observed('db'), u]});
    expect([...requirements]).toEqual([
      [
        'by-of-u',
        {
          apiVersion: 'ec2.example.org/v1beta1',
          kind: 'Thing',
          namespace: '',
          match: {kind: 'name', name: 'net-app'},
        },
      ],
    ]);
  });

  it('asks the same whatever was answered, because requirements that change with the answers never settle', () => {
    const given = {observed: [observed('db'), u]};
    const unanswered = planOf(given).requirements;
    for (const answer of [[], [lingering], [thing('app')]]) {
      expect(planOf({...given, required: {'by-of-u': answer}}).requirements).toEqual(unanswered);
    }
  });

  it('asks in the namespace of the Usage', () => {
    const {requirements} = planOf({
      observed: [observed('db', {namespace: 'team'}), usage('u', {of: 'db', by: 'app', namespace: 'team'})],
    });
    expect(requirements.get('by-of-u')).toMatchObject({namespace: 'team'});
  });

  it('asks nothing while `by` is observed, or while nothing leaves', () => {
    expect(planOf({observed: [observed('db'), observed('app'), u]}).requirements.size).toBe(0);
    expect(planOf({observed: [observed('db'), u], desired: [desired('db'), desiredUsage('u')]}).requirements.size).toBe(
      0,
    );
  });

  it('asks for what only one of the two needs: a Usage that leaves, or an `of` that does', () => {
    const ofLeaves = {observed: [observed('db'), u], desired: [desiredUsage('u')]};
    expect([...planOf(ofLeaves).requirements.keys()]).toEqual(['by-of-u']);
    const usageLeaves = {observed: [observed('db'), u], desired: [desired('db')]};
    expect([...planOf(usageLeaves).requirements.keys()]).toEqual(['by-of-u']);
  });

  it('knows a lingering `by` by our mark, too, when its controller reference is lost', () => {
    const orphan = thing('app', {labels: planLabels()});
    const given = {observed: [observed('db'), u], desired: [desired('db')], required: {'by-of-u': [orphan]}};
    expect(table(given)).toMatchObject({u: 'hold (by-still-exists)'});
  });

  it('wants to be called again soon while something leaves, and not while only a person can help', () => {
    expect(planOf({observed: [observed('db'), u]}).ttlAtMostSeconds).toBe(10);
    expect(planOf({observed: [observed('db')], desired: [desired('db')]}).ttlAtMostSeconds).toBeUndefined();
    expect(
      planOf({observed: [observed('db', {labels: {'crossplane.io/in-use': 'true'}})]}).ttlAtMostSeconds,
    ).toBeUndefined();
    const leavesWithU = {observed: [observed('db'), observed('app'), u]};
    expect(planOf(leavesWithU).ttlAtMostSeconds).toBe(10);
    const oneStays = {
      observed: [observed('db'), observed('app'), observed('web'), u, usage('v', {of: 'db', by: 'web'})],
      desired: [desired('app'), desiredUsage('u')],
    };
    expect(planOf(oneStays).ttlAtMostSeconds).toBe(10);
    const kept = {observed: [observed('db'), usage('u', {of: 'db', reason: 'r'})], desired: [desiredUsage('u')]};
    expect(planOf(kept).ttlAtMostSeconds).toBeUndefined();
    const stuck = {observed: [observed('db'), observed('app'), u], desired: [desired('app'), desiredUsage('u')]};
    expect(planOf(stuck).ttlAtMostSeconds).toBeUndefined();
    expect(
      planOf({observed: [observed('db', {controller: 'nobody'})], desired: [desired('db')]}).ttlAtMostSeconds,
    ).toBe(10);
  });

  it('leaves a `by` that is slow to go to the Usage that it owns: Kubernetes takes it off, and the XR watches that', () => {
    const [, made] = u;
    const body = made.json();
    const owner = {apiVersion: 'ec2.example.org/v1beta1', kind: 'Thing', name: 'net-app', uid: 'uid-of-app'};
    const metadata = body['metadata'] as {readonly ownerReferences: readonly JsonObject[]};
    const owned = view({...body, metadata: {...metadata, ownerReferences: [...metadata.ownerReferences, owner]}});
    const ttl = (given: Given, usageView = owned) =>
      planOf({
        ...given,
        observed: [observed('db'), ['u', usageView], ...(given.observed ?? [])],
        required: {'by-of-u': [lingering]},
      }).ttlAtMostSeconds;
    expect(ttl({})).toBeUndefined();
    expect(ttl({}, made)).toBe(10);
    // No API server has one that is null; files may.
    expect(
      ttl({}, view({...body, metadata: {...metadata, ownerReferences: [...metadata.ownerReferences, null]}})),
    ).toBe(10);
    // In this reconcile it is deleted, and the XR forgets it.
    expect(ttl({observed: [observed('app')]})).toBe(10);
    // It waits for another, whose own end is an event, too.
    const web = usage('v', {of: 'app', by: 'web'});
    expect(ttl({observed: [observed('app'), observed('web'), web], desired: [desired('web'), desiredUsage('v')]})).toBe(
      undefined,
    );
    const deaf = view({...xr.json(), status: {conditions: [{type: 'Responsive', status: 'False'}]}});
    expect(ttl({xr: deaf})).toBe(10);
  });
});

describe('the label that Crossplane puts on what is in use', () => {
  const labelled = observed('db', {labels: {'crossplane.io/in-use': 'true'}});

  it('holds, and not what a person confirms', () => {
    expect(table({observed: [labelled]})).toEqual({db: 'hold (in-use)'});
    const annotations = {'tether.fn.crossplane.io/confirm-removal': 'db'};
    const confirming = view({...xr.json(), metadata: {name: 'net', uid: xrUid, annotations}});
    expect(table({xr: confirming, observed: [labelled]})).toEqual({db: 'release'});
  });
});

function planLabels() {
  const edit = planOf({desired: [desired('app')]}).edits.get('app');
  return edit?.kind === 'amend' ? edit.overlay.metadata.labels : {};
}
