// The words of a plan: the fate of a composed resource and of an XR.

import {controllerOf, isDeleting} from '../../cluster/object.ts';
import type {TimelineEntry} from '../control-plane/record/timeline.ts';
import {actorText} from '../control-plane/record/words.ts';
import type {ComposedChange, XrPlan} from './plan.ts';

export interface ChangeWords {
  /** `restored, adopted`: what happens, in the order it does. */
  readonly verbs: readonly string[];
  /** Who, when, and why. */
  readonly details: readonly string[];
  /** When the last of it happens; undefined where nothing does. */
  readonly atMs: number | undefined;
  /** A person should look at it by itself. */
  readonly isGrave: boolean;
}

export function changeWords(change: ComposedChange): ChangeWords {
  const {before, after, type, field, isOrphan, letGo, events, held} = change;
  const last = (kind: string): TimelineEntry | undefined => events.findLast((one) => one.change.kind === kind);
  const [made, adopted, deleting] = [last('created'), last('adopted'), last('deleting')];
  const isOther = before !== undefined && after !== undefined && before.metadata.uid !== after.metadata.uid;
  const verbs: string[] = [];
  const details: string[] = [];
  if (type === 'added') verbs.push('created');
  if (isOther) verbs.push(made?.actor === 'crossplane' ? 'created anew' : 'restored');
  if (adopted !== undefined && (after === undefined || controllerOf(after) !== undefined)) verbs.push('adopted');
  const rest = after ?? letGo;
  const going = rest !== undefined && isDeleting(rest) ? rest : undefined;
  if (letGo !== undefined && going === undefined) {
    const owner = controllerOf(letGo);
    verbs.push('let go');
    details.push(
      owner === undefined ? 'it lives on, and nothing controls it' : `it is of ${owner.kind}/${owner.name} now`,
    );
  } else if (type === 'removed' && going === undefined) {
    verbs.push(deleting === undefined ? 'lost' : 'deleted');
    if (deleting !== undefined) details.push(`by ${actorText(deleting.actor)}`);
  }
  if (going !== undefined) verbs.push('deleting');
  if (going !== undefined)
    details.push(`waits for ${(going.metadata.finalizers ?? []).join(', ') || 'its dependents'}`);
  if (isOrphan) verbs.push('orphaned');
  if (held !== undefined) verbs.push('held');
  if (held !== undefined) details.push(`by function-tether: ${held.sentence ?? `${held.decision} ${held.reason}`}`);
  if (verbs.length === 0) verbs.push('changed');
  if (type === 'modified' && !isOther && field !== undefined) details.push(field);
  const [moment] = [deleting, adopted, made].filter((one) => one !== undefined);
  const isGrave = isOrphan || going !== undefined || held !== undefined || type === 'removed';
  return {verbs, details, atMs: moment?.atMs ?? events.at(-1)?.atMs, isGrave};
}

export function fateText({fate, ready}: XrPlan): string {
  const state = ready ? 'ready' : 'not ready';
  const texts: {readonly [fate in XrPlan['fate']]: string} = {
    stays: state,
    appeared: `created, ${state}`,
    restored: `restored, ${state}`,
    deleting: 'is being deleted',
    gone: 'gone',
  };
  return texts[fate];
}
