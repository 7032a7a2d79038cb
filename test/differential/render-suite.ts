// Random reconciles: Crossplane's own against ours.

import type {JsonObject} from '../../src/wire/json.ts';
import type {Difference} from './difference.ts';
import {openSignatures} from './recordings.ts';
import {renderOurs} from './render-ours.ts';
import {differenceBetween, type RenderStory} from './render-outcome.ts';
import {renderStories} from './render-stories.ts';
import type {CrossplaneRender} from './render-theirs.ts';
import type {Script} from './scripted-function.ts';
import type {Suite} from './search.ts';

/** Where upstream walks a Go map, one story has several outcomes: ours has to be one of them. */
const triesMax = 6;

/**
 * Which of several errors comes first is nothing but that order. Go begins a walk at one of eight places, so of a map of two
 * one comes first in seven of eight. 40 tries miss the other once in two hundred, which was seen; so many never do.
 */
const triesOfErrorsMax = 200;

export function renderSuite(theirs: CrossplaneRender): Suite<RenderStory> {
  return {
    stories: renderStories,
    known: openSignatures('render'),
    async compare(story) {
      const ours = renderOurs(story);
      let difference: Difference | undefined;
      for (let tries = 1; ; tries++) {
        const found = differenceBetween(await theirs.render(story), ours);
        if (found === undefined) return undefined;
        difference ??= found;
        if (tries >= triesFor(story, difference)) return difference;
      }
    },
  };
}

function triesFor(story: RenderStory, {where, theirs, ours}: Difference): number {
  if (hasOneOrder(story)) return 1;
  return where === 'error' && theirs !== null && ours !== null ? triesOfErrorsMax : triesMax;
}

/** A map of one has one order. */
function hasOneOrder({composition, observed}: RenderStory): boolean {
  const {pipeline} = composition['spec'] as {readonly pipeline: readonly {readonly input: JsonObject}[]};
  const desired = pipeline.flatMap(({input}) => Object.keys((input['response'] as Script).resources ?? {}));
  return new Set(desired).size < 2 && observed.length < 2;
}
