import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {conditionOf} from '../../../src/cluster/object.ts';
import {composedCrd, Platform} from './platform.ts';

// XRDs: the kinds they define and how they go away.

const xrdRef = {
  apiVersion: 'apiextensions.crossplane.io/v1',
  kind: 'CompositeResourceDefinition',
  name: 'apps.example.org',
};
const crdRef = {apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: 'apps.example.org'};

function ordered(scope: 'Cluster' | 'Namespaced' | 'LegacyCluster', claims = false): Platform {
  const platform = new Platform({crossplane: 'main', scope, claims});
  const kind = scope === 'Namespaced' ? 'NopInNamespace' : 'Nop';
  platform.compose([{name: 'A', base: {apiVersion: 'nop.example.org/v1', kind, spec: {}}}]);
  platform.order();
  platform.pass(5);
  return platform;
}

test('an XRD is established with the kind of its controller in status, and defaults XRs to Automatic', () => {
  const platform = ordered('Cluster');
  const xrd = platform.get(xrdRef);
  expect(conditionOf(xrd, 'Established')?.reason).toBe('WatchingCompositeResource');
  expect(xrd?.status?.['controllers']).toEqual({
    compositeResourceType: {apiVersion: 'example.org/v1', kind: 'App'},
    compositeResourceClaimType: {apiVersion: '', kind: ''},
  });
  expect(platform.xr()?.spec).toHaveProperty('crossplane.compositionUpdatePolicy', 'Automatic');
});

test('deleting the XRD of a cluster-scoped kind deletes its XRs and then its CRD', () => {
  const platform = ordered('Cluster');
  platform.delete(xrdRef);
  expect(platform.until(() => platform.get(xrdRef) === undefined, 30)).toBe(true);
  expect(platform.get(crdRef)).toBeUndefined();
});

test('deleting the XRD of a namespaced kind with an XR never ends, until somebody deletes the XR', () => {
  const platform = ordered('Namespaced');
  platform.delete(xrdRef);
  platform.pass(600);
  expect(platform.get(xrdRef)?.metadata.deletionTimestamp).toBeDefined();
  expect(platform.xr()?.metadata.deletionTimestamp).toBeUndefined();
  expect(platform.notes()).toContain('waiting for defined composite resources to be deleted');
  platform.delete(platform.xrRef());
  expect(platform.until(() => platform.get(xrdRef) === undefined, 120)).toBe(true);
});

// As Crossplane main did; the code is the same in v1.20.
describe('an XRD that Crossplane cannot render', () => {
  const xrd = (schema: JsonObject, claimNames?: JsonObject) => ({
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'olds.example.org'},
    spec: {
      group: 'example.org',
      names: {kind: 'Old', plural: 'olds'},
      ...(claimNames && {claimNames}),
      versions: [{name: 'v1', served: true, referenceable: true, ...schema}],
    },
  });
  const whole = {schema: {openAPIV3Schema: {type: 'object'}}};
  const ref = {...xrdRef, name: 'olds.example.org'};

  test('because a version has no schema changes nothing, and cannot be deleted', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.apply(xrd(whole));
    platform.pass(5);
    platform.apply(xrd({}));
    platform.pass(5);
    expect(platform.notes()).toContain(
      'cannot render composite resource CustomResourceDefinition: cannot generate CRD for "Composite Resource" "olds.example.org": custom resource validation cannot be nil',
    );
    platform.delete(ref);
    platform.pass(60);
    expect(platform.get(ref)?.metadata.deletionTimestamp).toBeDefined();
    platform.apply(xrd(whole));
    expect(platform.until(() => platform.get(ref) === undefined, 120)).toBe(true);
  });

  test('because its claim has a name of the XR offers no claim', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.apply(xrd(whole, {kind: 'Old', plural: 'olds'}));
    platform.pass(5);
    expect(platform.notes()).toContain(
      'cannot render composite resource claim CustomResourceDefinition: invalid resource claim names: "Old" conflicts with composite resource name',
    );
    expect(conditionOf(platform.get(ref), 'Established')?.status).toBe('True');
    expect(conditionOf(platform.get(ref), 'Offered')).toBeUndefined();
  });
});

describe('what an XR composed, when the XRD of its kind is deleted', () => {
  function composedAfter(ageSeconds: number): readonly unknown[] {
    const platform = new Platform({crossplane: 'main'});
    platform.apply(composedCrd('Fresh', 'freshes', 'Cluster'));
    platform.apply({
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'youngs.example.org'},
      spec: {
        group: 'example.org',
        scope: 'Cluster',
        names: {kind: 'Young', plural: 'youngs'},
        versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: {type: 'object'}}}],
      },
    });
    const base = {apiVersion: 'nop.example.org/v1', kind: 'Fresh', spec: {}};
    const input = {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources: [{name: 'A', base}]};
    platform.apply({
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'young'},
      spec: {
        compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'Young'},
        pipeline: [{step: 'static', functionRef: {name: 'function-static'}, input}],
      },
    });
    platform.pass(3);
    const crossplane = {compositionRef: {name: 'young'}};
    platform.apply({apiVersion: 'example.org/v1', kind: 'Young', metadata: {name: 'shop'}, spec: {crossplane}});
    platform.pass(ageSeconds);
    expect(platform.composed('A', 'Fresh')).toHaveLength(1);
    platform.delete({...xrdRef, name: 'youngs.example.org'});
    platform.pass(300);
    return platform.composed('A', 'Fresh');
  }

  test('is collected once the owner GC has come to know the kinds', () => {
    expect(composedAfter(60)).toEqual([]);
  });

  test('is leaked for ever while the kinds are too young for that', () => {
    expect(composedAfter(1)).toMatchObject([{metadata: {ownerReferences: [{kind: 'Young', controller: true}]}}]);
  });
});

test('claims are deleted one by one with their XRD', () => {
  const platform = ordered('LegacyCluster', true);
  const claim = {apiVersion: 'example.org/v1', kind: 'AppClaim', metadata: {name: 'mine', namespace: 'default'}};
  platform.apply({...claim, spec: {compositionRef: {name: 'app'}}});
  platform.pass(5);
  platform.delete(xrdRef);
  expect(platform.until(() => platform.get(xrdRef) === undefined, 120)).toBe(true);
  expect(platform.controlPlane.catalogue.find({kind: 'AppClaim'})).toEqual([]);
});

describe('v2 XRDs', () => {
  test('know no legacy scope', () => {
    const platform = new Platform({crossplane: 'main'});
    const refused = platform.apply({
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'olds.example.org'},
      spec: {group: 'example.org', scope: 'LegacyCluster', names: {kind: 'Old', plural: 'olds'}, versions: []},
    });
    expect(refused).toMatchObject({ok: false, code: 422});
    expect(JSON.stringify(refused)).toContain('supported values: \\"Namespaced\\", \\"Cluster\\"');
  });

  test('cannot offer claims', () => {
    const platform = new Platform({crossplane: 'main'});
    const claimNames = {kind: 'NewClaim', plural: 'newclaims'};
    const refused = platform.apply({
      apiVersion: 'apiextensions.crossplane.io/v2',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'news.example.org'},
      spec: {group: 'example.org', scope: 'Cluster', names: {kind: 'New', plural: 'news'}, claimNames, versions: []},
    });
    expect(JSON.stringify(refused)).toContain("Claims aren't supported in apiextensions.crossplane.io/v2");
  });
});

describe('the rules of Crossplane’s own kinds', () => {
  const step = {step: 'a', functionRef: {name: 'function-static'}};
  const secret = {name: 'c', source: 'Secret', secretRef: {name: 's', namespace: 'default'}};
  const required = {requirementName: 'r', apiVersion: 'v1', kind: 'ConfigMap'};

  function refusalOfStep(more: JsonObject, crossplane: '1.20' | 'main'): string {
    const response = new Platform({crossplane}).pipeline([{...step, ...more}]);
    return response.ok ? 'none' : response.message;
  }

  test.each([
    {
      name: 'SecretWithoutReference',
      more: {credentials: [{name: 'c', source: 'Secret'}]},
      want: 'spec.pipeline[0].credentials[0]: Invalid value: "object": the Secret source requires a secretRef',
    },
    {
      name: 'NameAndLabels',
      more: {requirements: {requiredResources: [{...required, name: 'n', matchLabels: {a: 'b'}}]}},
      want: 'requiredResources[0]: Invalid value: "object": name and matchLabels are mutually exclusive',
    },
    {
      name: 'InputOfNoKind',
      more: {input: {foo: 1}},
      want: 'spec.pipeline[0].input.apiVersion: Required value',
    },
  ])('of a pipeline step hold since v2: $name', ({more, want, name}) => {
    expect(refusalOfStep(more, 'main')).toContain(want);
    if (name !== 'InputOfNoKind') expect(refusalOfStep(more, '1.20')).not.toContain(want);
    expect(refusalOfStep({credentials: [secret], requirements: {requiredResources: [required]}}, 'main')).toBe('none');
  });

  test('want one to 99 steps', () => {
    const platform = new Platform({crossplane: 'main'});
    expect(JSON.stringify(platform.pipeline([]))).toContain('should have at least 1 items');
    const many = Array.from({length: 100}, (_, index) => ({...step, step: `s${index}`}));
    expect(JSON.stringify(platform.pipeline(many))).toContain('must have at most 99 items');
  });

  test('refuse conversion None, as upstream does', () => {
    const platform = new Platform({crossplane: 'main'});
    const xrd = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'CompositeResourceDefinition',
      metadata: {name: 'others.example.org'},
      spec: {
        group: 'example.org',
        names: {kind: 'Other', plural: 'others'},
        conversion: {strategy: 'None'},
        versions: [{name: 'v1', served: true, referenceable: true}],
      },
    };
    expect(JSON.stringify(platform.apply(xrd))).toContain(
      'Webhook configuration is required when conversion strategy is Webhook',
    );
  });
});

describe('a change of the XRD', () => {
  const addColumn = {spec: {defaultCompositionRef: {name: 'app'}}};

  test('restarts the XR controller since v2', () => {
    const platform = ordered('Cluster');
    platform.mark();
    platform.patch(xrdRef, addColumn);
    platform.pass(5);
    expect(platform.notes()).toContain('XRD specification changed; restarting controller to apply updates');
  });

  test('does not before, unless the referenceable version changes', () => {
    const platform = new Platform({crossplane: '1.20'});
    platform.pass(5);
    const restarts = (body: JsonObject): boolean => {
      platform.mark();
      platform.patch(xrdRef, body);
      platform.pass(5);
      return platform.notes().join().includes('restarting controller');
    };
    const [v1] = (platform.get(xrdRef)?.spec?.['versions'] ?? []) as readonly JsonObject[];
    expect(restarts(addColumn)).toBe(false);
    expect(
      restarts({
        spec: {
          versions: [
            {...v1, referenceable: false},
            {...v1, name: 'v2'},
          ],
        },
      }),
    ).toBe(true);
  });
});

const appComposition = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', name: 'app'};

describe('which Composition an XR uses', () => {
  test('is the default of its XRD where it names none', () => {
    const platform = new Platform({crossplane: 'main', xrd: {defaultCompositionRef: {name: 'app'}}});
    platform.compose(['A']);
    platform.apply({apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {}});
    platform.pass(5);
    expect(platform.xr()?.spec).toHaveProperty('crossplane.compositionRef.name', 'app');
  });

  test('is the one its XRD enforces, whatever it names', () => {
    const platform = new Platform({crossplane: 'main', xrd: {enforcedCompositionRef: {name: 'app'}}});
    platform.compose(['A']);
    platform.order('shop', {}, {compositionRef: {name: 'other'}});
    platform.pass(5);
    expect(platform.xr()?.spec).toHaveProperty('crossplane.compositionRef.name', 'app');
  });

  test('is any for its kind where nothing says more', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.compose(['A']);
    platform.pass(1);
    platform.apply({apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {}});
    platform.pass(5);
    expect(platform.condition('Ready')).toBe('True/Available');
  });

  test('is one with the labels it asks for', () => {
    for (const [mine, other] of [
      ['gold', 'iron'],
      ['iron', 'gold'],
    ] as const) {
      const platform = new Platform({crossplane: 'main'});
      platform.compose(['A']);
      const composition = platform.get(appComposition);
      if (composition === undefined) throw new Error('the Composition was just made');
      platform.patch(appComposition, {metadata: {labels: {tier: other}}});
      platform.apply({...composition, metadata: {name: 'better', labels: {tier: mine}}});
      platform.pass(1);
      const crossplane = {compositionSelector: {matchLabels: {tier: 'gold'}}};
      platform.apply({apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {crossplane}});
      platform.pass(5);
      expect(platform.xr()?.spec).toHaveProperty('crossplane.compositionRef.name', mine === 'gold' ? 'better' : 'app');
    }
  });

  test('is missing: the XR says so', () => {
    const platform = new Platform({crossplane: 'main'});
    platform.apply({apiVersion: 'example.org/v1', kind: 'App', metadata: {name: 'shop'}, spec: {}});
    platform.pass(5);
    expect(platform.message('Synced')).toBe('cannot select Composition: no compatible Compositions found');
  });
});

test('an XRD that loses its referenceable version keeps its status: its CRD is refused', () => {
  const platform = new Platform({crossplane: 'main'});
  const ref = {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    name: 'apps.example.org',
  };
  const versions = platform.get(ref)?.spec?.['versions'] as readonly JsonObject[];
  platform.patch(ref, {spec: {versions: versions.map((version) => ({...version, referenceable: false}))}});
  platform.pass(20);
  expect(platform.notes().join()).toContain('must have exactly one version marked as storage version');
  const condition = conditionOf(platform.get(ref), 'Established');
  expect(condition).toMatchObject({status: 'True', reason: 'WatchingCompositeResource', observedGeneration: 1});
});
