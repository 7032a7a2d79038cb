// The properties of every story, and beside each safety property an event that must happen at least once, so that nothing passes
// by never being tried. The content of the story decides which of them apply: a property about restores needs a restore.

import {at} from '../../cluster/json.ts';
import {remembering} from '../../cluster/memo.ts';
import {controllerOf, isDeleting, isTrue, type KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../../cluster/vocabulary.ts';
import {always, converges, type Property, sometimes} from '../../explore/property.ts';
import {objectsOf} from '../control-plane/operator/backup-tool.ts';
import {createsInDoubt, unfinishedDeletions} from '../control-plane/oracle/deletion.ts';
import {
  addressOf,
  doubledExternals,
  externalNameOf,
  externalsIn,
  leftBehind,
  renamedExternals,
} from '../control-plane/oracle/externals.ts';
import {orphansAmong} from '../control-plane/oracle/orphan.ts';
import {unsynced} from '../control-plane/oracle/syncing.ts';
import {objectText} from '../control-plane/record/words.ts';
import {firstUnmet, objectsIn} from './evidence.ts';
import type {ExploreState} from './explore-state.ts';
import {pairText} from './facts.ts';
import {awaitedBy, type SearchedStory, type Story} from './story.ts';

type StoryProperty = Property<ExploreState>;

/** The properties that apply to the story. */
export function propertiesOf(story: Story): readonly StoryProperty[] {
  const has = contentsOf(story);
  const all: StoryProperty[] = [
    converges('no orphan is left', ifCrossplaneRuns(story, orphaned)),
    converges('every XR syncs', ifCrossplaneRuns(story, failing)),
    converges('a deletion comes to its end', ifCrossplaneRuns(story, undeleted)),
    always('no process dies by itself', (state) => deadProcess(story, state) === undefined),
  ];
  if (has.xrs) all.push(sometimes('an XR becomes ready', becameReady));
  if (has.cloud) {
    all.push(
      always('never two external resources for one', ({world}) => doubledExternals(externalsIn(world)).length === 0),
    );
    all.push(sometimes('an external resource is created', ({world}) => externalsIn(world).length > 0));
    all.push(converges('no create waits for a person', asked));
    if (!has.orphanPolicy) all.push(converges('no external resource is left behind', ifCrossplaneRuns(story, stray)));
  }
  if (has.usages) {
    all.push(always('what is used is never gone before its user', ({facts}) => facts.brokenPair === undefined));
    all.push(sometimes('a user leaves before what it uses', ({facts}) => facts.byLeftFirst));
  }
  if (has.removals) all.push(sometimes('a resource is being deleted', isRemoving));
  if (has.restore) {
    if (has.velero) all.push(sometimes('a resource is restored without its controller reference', isOwnerless));
    if (has.cloud) {
      all.push(
        always('a restore keeps external names', (state) => !isRestored(story, state) || renames(state).length === 0),
      );
      all.push(
        sometimes('a restored resource has its external name', (state) => isRestored(story, state) && keepsName(state)),
      );
    }
  }
  if (story.moveOrder === 'in-order' && story.variant.expect.length > 0) {
    all.push(
      converges(
        "the scenario's expectations come true",
        ifNobodyIsAsked((state) => expected(story, state)),
      ),
    );
  }
  if (story.moveOrder === 'in-order' && story.moves.some((move) => awaitedBy(move).length > 0)) {
    all.push(
      converges(
        "the scenario's waits are over some time",
        ifNobodyIsAsked((state) => waitingInVain(story, state)),
      ),
    );
  }
  return all;
}

interface Contents {
  readonly xrs: boolean;
  readonly cloud: boolean;
  readonly usages: boolean;
  readonly restore: boolean;
  /** The tool that takes controller references away. */
  readonly velero: boolean;
  readonly removals: boolean;
  readonly orphanPolicy: boolean;
}

function contentsOf({scenario, moves, definition}: Story): Contents {
  const written = JSON.stringify([scenario.from ?? [], scenario.fixtures, moves.map(({action}) => action)]);
  const kinds = moves.map(({action}) => action.kind);
  return {
    xrs: written.includes('"CompositeResourceDefinition"'),
    cloud: definition.cloud !== undefined,
    usages: /"kind":"(Cluster)?Usage"|"(order|usages|rules)":\[|\$\{resources\./.test(written),
    restore: kinds.includes('restore'),
    velero: moves.some(({action}) => action.kind === 'backup' && action.tool === 'velero'),
    removals: kinds.includes('delete'),
    orphanPolicy: written.includes('Orphan'),
  };
}

/** At rest with Crossplane or a provider stopped, or with everything wiped, nothing has come to its end. */
function ifCrossplaneRuns(story: Story, pending: (state: ExploreState) => string | undefined) {
  return (state: ExploreState): string | undefined => {
    const isWaiting = state.memory.stopped.length > 0 || state.facts.wiped || state.tool !== undefined;
    if (isWaiting || state.broken.size > 0) return undefined;
    return deadProcess(story, state) === undefined ? pending(state) : undefined;
  };
}

/** Where a provider asks a person what became of its create, only that person's answer brings the story to its end. */
function ifNobodyIsAsked(pending: (state: ExploreState) => string | undefined) {
  return (state: ExploreState): string | undefined =>
    createsInDoubt(objectsIn(state.world)).length > 0 ? undefined : pending(state);
}

function asked({world}: ExploreState): string | undefined {
  return listed(
    createsInDoubt(objectsIn(world)),
    (object) =>
      `${objectText(object)} waits for a person: its provider died while it created and does not know the end`,
  );
}

function orphaned({world}: ExploreState): string | undefined {
  return listed(
    orphansAmong(objectsIn(world)),
    ({object}) => `${objectText(object)} is an orphan: no object owns it, no XR lists it`,
  );
}

function failing({world}: ExploreState): string | undefined {
  return listed(unsynced(objectsIn(world)), (text) => text);
}

function undeleted({world}: ExploreState): string | undefined {
  return listed(unfinishedDeletions(objectsIn(world)), (object) => `${objectText(object)} is being deleted for ever`);
}

function stray({world}: ExploreState): string | undefined {
  const externals = leftBehind(externalsIn(world), objectsIn(world));
  return listed(externals, ({type, id, owner}) => `external ${type} "${id}" lives, ${type} "${owner}" is gone`);
}

function listed<T>(list: readonly T[], text: (item: T) => string): string | undefined {
  return list.length === 0 ? undefined : list.map(text).join('; ');
}

/** A process that is down without having been stopped. */
export function deadProcess({definition}: SearchedStory, {world, memory: {stopped}}: ExploreState): string | undefined {
  return definition.processes.find(({name}) => !world.processes.has(name) && !stopped.includes(name))?.name;
}

function becameReady({world}: ExploreState): boolean {
  return objectsIn(world).some((object) => isXr(object) && isTrue(object, 'Ready'));
}

function isXr({spec}: KubeObject): boolean {
  return spec?.['resourceRefs'] !== undefined || at(spec, ['crossplane', 'resourceRefs']) !== undefined;
}

function isRemoving({world}: ExploreState): boolean {
  return hasDeleting(objectsIn(world));
}

const hasDeleting = remembering((objects: readonly KubeObject[]) => objects.some(isDeleting));

function isOwnerless({world}: ExploreState): boolean {
  return objectsIn(world).some((object) => resourceNameOf(object) !== undefined && controllerOf(object) === undefined);
}

function isRestored({moves}: SearchedStory, {made}: ExploreState): boolean {
  return made.some((move) => moves[move]?.action.kind === 'restore');
}

function savedObjects({memory: {saved}}: ExploreState): readonly KubeObject[] {
  return saved === undefined ? [] : objectsOf(saved);
}

function renames(state: ExploreState): readonly KubeObject[] {
  return renamedExternals(savedObjects(state), objectsIn(state.world));
}

function keepsName(state: ExploreState): boolean {
  const there = new Map(objectsIn(state.world).map((object) => [addressOf(object), externalNameOf(object)]));
  return savedObjects(state).some((object) => {
    const name = externalNameOf(object);
    return name !== undefined && there.get(addressOf(object)) === name;
  });
}

/** The first expectation of the scenario that does not hold once every move is made; undefined before. */
function expected(story: Story, state: ExploreState): string | undefined {
  if (state.made.length < story.moves.length || state.tool !== undefined) return undefined;
  return firstUnmet(story, state, story.variant.expect);
}

/** The event that the next move of the scenario waits for in vain. */
function waitingInVain(story: Story, state: ExploreState): string | undefined {
  const next = story.moves[state.made.length];
  if (next === undefined || state.tool !== undefined) return undefined;
  const message = firstUnmet(story, state, awaitedBy(next));
  return message === undefined ? undefined : `before "${next.step.name}": ${message}`;
}

/** Why an `always` does not hold in the state it was found in, in the operator's words. */
export function violationText(story: SearchedStory, name: string, state: ExploreState): string {
  if (name.startsWith('what is used') && state.facts.brokenPair !== undefined) return pairText(state.facts.brokenPair);
  if (name.startsWith('never two'))
    return `two external resources are alive for ${doubledExternals(externalsIn(state.world)).join(', ')}`;
  if (name.startsWith('no process')) return `${deadProcess(story, state)} is down, and no step stopped it`;
  const changed = renames(state).map((object) => `${objectText(object)} now leads to ${externalNameOf(object)}`);
  return changed.join('; ');
}
