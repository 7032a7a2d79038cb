import {readdirSync, readFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import type {ProfileName} from '../../../src/cluster/crossplane/profiles.ts';
import {found} from './opened.ts';

// Hazards that upstream's code suggests and nobody reported: one scenario each, and what the explorer says of it. The page
// docs/background/hazards.md tells the same in words.

const hazards: readonly {
  readonly story: string;
  readonly crossplane: ProfileName;
  /** The property that does not hold and why, or undefined where all hold. */
  readonly says: readonly [property: string, why: string] | undefined;
}[] = [
  {
    story: 'r3-deleted-before-adopted',
    crossplane: '2.3',
    says: ['no orphan is left', 'a (Bucket) is an orphan: no object owns it, no XR lists it; b (Bucket) is an orphan'],
  },
  {
    story: 'r4-usage-without-by',
    crossplane: 'main',
    says: ["the scenario's expectations come true", 'expected no Bucket "data", got Bucket/data'],
  },
  {
    story: 'r9-stale-owner',
    crossplane: 'main',
    says: ["the scenario's expectations come true", 'expected Bucket "shop-data", got none'],
  },
  {
    story: '004a-namespaced-definition',
    crossplane: 'main',
    says: ['a deletion comes to its end', 'CompositeResourceDefinition/apps.example.org is being deleted for ever'],
  },
  {
    story: '004d-by-kind-gone',
    crossplane: 'main',
    says: ['a deletion comes to its end', 'ClusterUsage/data-by-acme is being deleted for ever'],
  },
  {
    story: 'ssa-release-external-name',
    crossplane: 'main',
    says: ["the scenario's expectations come true", 'expected 1 external resources (creates), got 2'],
  },
  {
    story: 'ssa-release-policies',
    crossplane: 'main',
    says: ["the scenario's expectations come true", 'expected 1 external resources (alive), got 0'],
  },
  {story: 'backup-while-deleting', crossplane: '2.3', says: ['no orphan is left', 'b (Bucket) is an orphan']},
  {story: 'restore-into-live', crossplane: 'main', says: ['no orphan is left', 'b (Bucket) is an orphan']},
];

describe('a hazard', () => {
  it.each(hazards)('$story on $crossplane', ({story, crossplane, says}) => {
    const [property, why] = says ?? ['', ''];
    const {failures} = found(`hazards/${story}`, crossplane, '--property', property);
    expect(failures.map(({report}) => report.name)).toEqual(says === undefined ? [] : [property]);
    expect(failures[0]?.pending ?? '').toContain(why);
  });
});

const page = readFileSync(new URL('../../../docs/background/hazards.md', import.meta.url), 'utf8');
const files = readdirSync(new URL('../../../examples/hazards/', import.meta.url));

it.each(files)('%s is told of above and on the page', (file) => {
  expect(hazards.map(({story}) => `${story}.yaml`)).toContain(file);
  expect(page).toContain(`../examples/hazards/${file}`);
});
