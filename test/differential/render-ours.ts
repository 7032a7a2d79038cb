// One reconcile by the simulated Crossplane, with the function of the story in process.

import {profiles} from '../../src/cluster/crossplane/profiles.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {InputError} from '../../src/harness/input/input-error.ts';
import {identifiedXr} from '../../src/harness/render/identified-xr.ts';
import {reconcileOnce} from '../../src/harness/render/reconcile-once.ts';
import type {JsonObject} from '../../src/wire/json.ts';
import type {RenderOutcome, RenderStory} from './render-outcome.ts';
import {scripted, toldIn} from './scripted-function.ts';

export function renderOurs(story: RenderStory): RenderOutcome {
  const told: JsonObject[] = [];
  const drive = reconcileOnce({
    xr: identifiedXr(object(story.xr)),
    schema: isLegacy(story.definition) ? 'legacy' : 'modern',
    composition: object(story.composition),
    observed: story.observed.map(object),
    others: [...story.required, ...story.credentials].map(object),
    profile: profiles.main,
  });
  try {
    let step = drive.next();
    while (!step.done) {
      const {request} = step.value;
      told.push(toldIn(request));
      step = drive.next({ok: true, response: scripted(request)});
    }
    const {xr, composed, deleted, events, error} = step.value;
    return {
      ...(error === undefined ? {} : {error}),
      xr: plain(xr),
      composed: composed.map(plain),
      deleted: deleted.map(plain),
      events: events.map(({type, reason, message}) => ({type, reason, message})),
      told,
    };
  } catch (thrown) {
    // What a simulator throws is a find as well.
    const error = thrown instanceof InputError ? 'bad input' : `threw ${String(thrown)}`;
    return {error, composed: [], deleted: [], events: [], told};
  }
}

function isLegacy(definition: JsonObject | undefined): boolean {
  if (definition === undefined) return false;
  const scope = (definition['spec'] as JsonObject)['scope'];
  return scope === 'LegacyCluster' || (scope === undefined && definition['apiVersion'] === xrdV1);
}

const xrdV1 = 'apiextensions.crossplane.io/v1';

function object(json: JsonObject): KubeObject {
  return json as unknown as KubeObject;
}

function plain(json: KubeObject): JsonObject {
  return JSON.parse(JSON.stringify(json)) as JsonObject;
}
