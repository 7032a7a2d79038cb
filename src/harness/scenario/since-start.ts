// The changes of the composed resources since Crossplane last started: the question after a restore.

import type {KubeObject} from '../../cluster/object.ts';
import {composedResources, type Touch, touchedAmong} from '../control-plane/oracle/untouched.ts';
import {objectText} from '../control-plane/record/words.ts';
import type {Evidence} from './check.ts';

export interface SinceStart {
  readonly startedMs: number;
  /** Composed resources that lived then and are the same objects still. */
  readonly untouched: readonly string[];
  readonly touched: readonly Touch[];
}

/** The moment before a step's action. */
export interface Begun {
  readonly atMs: number;
  readonly objects: readonly KubeObject[];
  /** Requests to delete an object until then. */
  readonly deletes: number;
}

export function sinceStart(
  step: string,
  begun: ReadonlyMap<string, Begun>,
  evidence: Evidence,
  startMs: number,
): SinceStart {
  const {atMs, objects} = begun.get(step) ?? {atMs: startMs, objects: []};
  const touched = touchedAmong(objects, evidence.objects(), evidence.deletesSince?.(step) ?? [], []);
  const names = new Set(touched.map((touch) => touch.object.metadata.uid));
  const untouched = composedResources(objects).filter((object) => !names.has(object.metadata.uid));
  return {startedMs: atMs - startMs, untouched: untouched.map(objectText), touched};
}
