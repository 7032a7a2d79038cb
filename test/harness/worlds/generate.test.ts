import {expect, test} from 'vitest';
import type {JsonObject} from '../../../src/cluster/json.ts';
import {tagsOf, wantedTags} from '../../../src/harness/worlds/coverage.ts';
import {drawGroup, drawStory} from '../../../src/harness/worlds/generate.ts';

// What must not depend on the function under test, or a story runs twice in two worlds.

function resourcesIn({pipeline}: JsonObject): readonly JsonObject[] {
  const steps = (pipeline ?? []) as readonly {readonly input?: {readonly resources?: readonly JsonObject[]}}[];
  return steps.flatMap(({input}) => input?.resources ?? []);
}

const stories = Array.from({length: 800}, (_, number) => drawStory(7n, number, 'main'));

test('a tenant makes its decoy without what only the function writes, and copies that afterwards', () => {
  const decoys = stories.flatMap(({steps}) => steps.filter(({name}) => name === 'tenant: make a decoy'));
  expect(decoys.length).toBeGreaterThan(20);
  expect(decoys.filter((step) => JSON.stringify(step.action).includes('${'))).toEqual([]);
  const copies = stories.flatMap(({steps}) => steps.filter(({name}) => name === 'tenant: copy what anybody may read'));
  expect(copies.length).toBeGreaterThan(10);
});

test('what the API server refuses from some moment on is asked for at rest', () => {
  const edits = stories.flatMap(({steps}) => steps.filter(({name}) => name === 'user: write a field nobody declares'));
  expect(edits.length).toBeGreaterThan(5);
  expect(edits.filter(({early}) => early !== undefined)).toEqual([]);
});

test('a value that is changed is one its kind declares', () => {
  const changes = stories.flatMap(({steps}) => steps.filter(({name}) => name === 'user: change a value'));
  const databases = JSON.stringify(changes).match(/"kind":"Database","metadata".*?"forProvider":\{[^}]*\}/g) ?? [];
  expect(databases.length).toBeGreaterThan(3);
  expect(databases.filter((text) => /forProvider.*region/.test(text))).toEqual([]);
});

test('objects that an XR counts lead to an external resource of their own', () => {
  const entries = stories.flatMap(({steps}) =>
    steps.flatMap(({action}) =>
      action?.kind === 'apply' ? action.objects.flatMap(({spec}) => resourcesIn((spec ?? {}) as JsonObject)) : [],
    ),
  );
  const all = entries.filter(({count}) => count === 'spec.count').map((entry) => JSON.stringify(entry));
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((text) => text.includes('external-name'))).toEqual([]);
});

test('no two steps of a pipeline compose with one function: a stale answer of it would be one of the other step', () => {
  const refs = stories.flatMap(({steps}) =>
    steps.flatMap(({action}) =>
      action?.kind !== 'apply'
        ? []
        : action.objects.map(({spec}) => [
            ...JSON.stringify(spec ?? {}).matchAll(/"functionRef":\{"name":"(function-[^"]*)"/g),
          ]),
    ),
  );
  const composers = refs.map((found) => found.map(([, name]) => name));
  expect(composers.filter(({length}) => length > 2).length).toBeGreaterThan(20);
  expect(composers.filter((names) => new Set(names).size < names.length)).toEqual([]);
});

test('one in six stories with a nested XR ends with a use of it: there are few, and a Usage of it is seen in no others', () => {
  const nested = stories.map(({steps}) => JSON.stringify(steps)).filter((text) => text.includes('"name":"inner"'));
  const used = nested.filter((text) =>
    /"of":"inner"|"of":\{"resources":\["inner"\]|"sequence":\[\{"resources":\["inner"\]/.test(text),
  );
  expect(nested.length).toBeGreaterThan(30);
  expect(used.length / nested.length).toBeGreaterThan(1 / 6);
});

test('no story on 1.16 asks by a dialect for the Usages that it does not serve', () => {
  const old = Array.from({length: 400}, (_, number) => JSON.stringify(drawStory(3n, number, '1.16').steps));
  const dialects = old.filter((text) => text.includes('sequencer.fn.crossplane.io'));
  expect(dialects.length).toBeGreaterThan(5);
  expect(
    old.filter((text) => /"enableDeletionSequencing":true|protection\.fn\.crossplane\.io\/v1beta1/.test(text)),
  ).toEqual([]);
});

test('a field that cannot be changed is changed at rest, and its kind says so', () => {
  const edits = stories.flatMap(({steps}) => steps.filter(({name}) => name === 'user: change an immutable field'));
  expect(edits.length).toBeGreaterThan(5);
  expect(edits.filter(({early}) => early !== undefined)).toEqual([]);
  const fixtures = JSON.stringify(stories[0]?.fixtures);
  expect(fixtures.match(/self == oldSelf/g)).toHaveLength(2);
});

test('every version is asked for nothing that its stories cannot have', () => {
  const all = Array.from({length: 250}, (_, group) => drawGroup(3n, group, '1.16')).flat();
  const had = new Set(all.flatMap((story) => [...tagsOf(story, [])]));
  expect(wantedTags('1.16').filter((tag) => !tag.startsWith('fault ') && !had.has(tag))).toEqual([]);
});

test('the Usage webhook is down at one of the few deletes that it would review', () => {
  const all = stories.flatMap(({steps}) => steps.flatMap(({faults = []}) => faults));
  const webhooks = all.filter(({fault}) => fault === 'webhook-down').map(({at}) => at);
  expect(webhooks.length).toBeGreaterThan(5);
  expect(Math.max(...webhooks)).toBeLessThan(2);
  expect(Math.max(...all.map(({at}) => at))).toBeGreaterThan(20);
});

test('a story about moves begins with one, and what comes in its middle are backups, deletions and rules taken away', () => {
  const about = Array.from({length: 50}, (_, group) => drawGroup(3n, group, 'main', 'moves')).flat();
  const namesOf = ({steps}: (typeof about)[number]) => steps.map(({name}) => name);
  const moves = ['user: move to another resource name', 'user: move to another kind', 'user: take from another XR'];
  const moved = about.filter((story) => namesOf(story).some((name) => moves.includes(name)));
  expect(moved.length).toBeGreaterThan(about.length / 2);
  const early = (text: string) =>
    about.flatMap(({steps}) => steps).filter((step) => step.name.includes(text) && step.early !== undefined).length;
  for (const text of ['back up', 'delete an XR', 'take the rules of']) expect(early(text)).toBeGreaterThan(3);
  // Those about everything are as they were.
  expect(JSON.stringify(stories)).not.toContain('take the rules of');
});

test('most stories end with a trial of one part of the input, which changes nothing before it', () => {
  const trials = ['delete what is in use', 'drop what is used and its user', 'delete what is protected'];
  const names = stories.map(({steps}) => steps.map(({name}) => name));
  for (const trial of trials)
    expect(names.filter((all) => all.some((name) => name.includes(trial))).length).toBeGreaterThan(5);
  const trial = names.findIndex((steps) => steps.at(-1)?.includes('what is in use'));
  const tried = stories[trial]?.steps.at(-1);
  expect(tried?.early).toBeUndefined();
  const asks = stories[trial]?.steps.at(-2);
  expect(JSON.stringify(asks?.action)).toMatch(/"usages"|"order"/);
});

test.each(['main', '2.3', '1.20', '1.19', '1.16'] as const)(
  'nothing that matters is missing in 1,000 stories on %s',
  (version) => {
    const all = Array.from({length: 125}, (_, group) => drawGroup(5n, group, version)).flat();
    const had = new Set(all.flatMap((story) => [...tagsOf(story, [])]));
    expect(wantedTags(version).filter((tag) => !tag.startsWith('fault ') && !had.has(tag))).toEqual([]);
  },
);

test('authors write one external name under two resource names, kinds or object names, one after the other', () => {
  const isNaming = ({name}: {readonly name: string}) => name === 'user: write the name in the cloud elsewhere';
  const told = stories.flatMap(({steps}) => steps.filter(isNaming).map(({action}) => JSON.stringify(action)));
  expect(told.length).toBeGreaterThan(30);
  expect(told.filter((text) => !/"crossplane.io\/external-name":"\w+-named"/.test(text))).toEqual([]);
  expect(told.filter((text) => text.includes('"name":"renamed"')).length).toBeGreaterThan(told.length / 2);
  expect(told.filter((text) => /"name":"\w+-renamed"/.test(text)).length).toBeGreaterThan(told.length / 4);
});

test('no story composes a kind with a namespace before 2.0, whose definition is not there', () => {
  const old = Array.from({length: 800}, (_, number) => JSON.stringify(drawStory(110501n, number, '1.20').steps));
  expect(old.filter((text) => text.includes('user: write the name in the cloud elsewhere')).length).toBeGreaterThan(20);
  expect(old.filter((text) => text.includes('"base":{"apiVersion":"cloud.m'))).toEqual([]);
});

test('a Composition of several XRs writes no name of an object or in the cloud, which they would share', () => {
  const composed = stories.flatMap(({steps}) => {
    const applied = steps.flatMap(({action}) => (action?.kind === 'apply' ? action.objects : []));
    const compositions = applied.filter(({kind}) => kind === 'Composition').map(({spec}) => spec as JsonObject);
    const bases = compositions.flatMap(resourcesIn).map(({base}) => base as JsonObject);
    const isNested = ({apiVersion, kind}: JsonObject) =>
      bases.some((base) => base['apiVersion'] === apiVersion && base['kind'] === kind);
    return compositions.filter(({compositeTypeRef}) => isNested(compositeTypeRef as JsonObject));
  });
  const metadata = composed
    .flatMap(resourcesIn)
    .map(({base}) => JSON.stringify((base as JsonObject)['metadata'] ?? {}));
  expect(metadata.length).toBeGreaterThan(200);
  expect(metadata.filter((text) => /"name":|external-name/.test(text))).toEqual([]);
});
