// The control plane before the fixtures: a new one, or one that lived, as a dump of it has it.

import type {ProfileName} from '../../cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../cluster/object.ts';
import type {ControlPlaneOptions} from '../control-plane/control-plane.ts';
import {type SourceWorld, sourceWorld} from '../control-plane/standing/source-world.ts';
import {InputError} from '../input/input-error.ts';
import {asOf} from '../input/source/as-of.ts';
import type {Scenario} from './scenario.ts';
import {cloudOf, providerOf} from './simulated-provider.ts';

export type Beginning = Pick<ControlPlaneOptions, 'provider' | 'cloud' | 'packages' | 'from'>;

type BegunStory = Pick<Scenario, 'provider' | 'fixtures' | 'functions' | 'steps'> &
  Partial<Pick<Scenario, 'from' | 'packages'>>;

/** Throws InputError for a story that cannot begin from objects. */
export function beginningOf(story: BegunStory, crossplane: ProfileName): Beginning {
  const {from: objects = [], packages, provider} = story;
  if (objects.length === 0) return providerOf(story);
  const other = packages === undefined ? (provider.kind === 'nop' ? 'a provider of kind nop' : undefined) : 'packages';
  if (other !== undefined) throw new InputError(`cannot begin from a control plane that lived with ${other}`);
  const world = worldOf(story, objects, crossplane);
  return {from: world.from, provider: world.provider, ...(world.cloud === undefined ? {} : {cloud: world.cloud})};
}

/** The unknown and unmodelled parts of a control plane that lived, a sentence each. */
export function beginningNotes(story: BegunStory, crossplane: ProfileName): readonly string[] {
  return story.from === undefined ? [] : worldOf(story, story.from, crossplane).notes;
}

function worldOf(
  {fixtures, functions, provider}: BegunStory,
  objects: readonly KubeObject[],
  crossplane: ProfileName,
): SourceWorld {
  const managed = {runtime: provider.runtime, cloud: cloudOf(provider), hints: provider, further: fixtures};
  const source = {objects, asOfMs: asOf(objects)};
  return sourceWorld(source, {crossplane, functions: Object.keys(functions), ...managed});
}
