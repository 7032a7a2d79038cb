// An XR that Crossplane does not hear of: it was lost and came back while the watch circuit of its name was open, so nobody
// reconciles it before something about it changes or Crossplane lists all XRs anew. Usages, templates' resources, a memory of names and
// moves are objects or changes more, whose events open a circuit sooner: the input asked for them. Whether it is closed again by then is
// a matter of the moment, and no function is called that could do anything about it. Nor does Crossplane hear that a pause is over while
// the circuit is open, and it polls no paused XR.

import {emptyBreaker, openedBy} from '../../cluster/crossplane/engine/breaker.ts';
import type {Memory} from '../../cluster/crossplane/engine/engine-state.ts';
import {at} from '../../cluster/json.ts';
import {keyOf} from '../../cluster/kernel/process.ts';
import type {World} from '../../cluster/kernel/world.ts';
import {conditionOf, groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {isPaused} from '../../cluster/paused.ts';
import {asksForUsages} from './asks-for-usages.ts';
import type {Ending} from './ending.ts';
import type {HarmKind} from './harm.ts';
import {uidOf} from './lives.ts';

/** What is not done for an XR that nobody reconciles. */
export const ofUnheard: readonly HarmKind[] = ['gone', 'missing', 'unowned', 'not-synced', 'not-ready'];

/**
 * Whether it is one, by its place; or one that was paused while its circuit was open, and its input asked for more objects when it was
 * heard last.
 */
export function isUnheard(xr: string, {asked, living, run}: Ending): boolean {
  const object = living.get(xr)?.at(-1)?.object;
  const last = asked.get(xr)?.requests.at(-1);
  if (object === undefined || last === undefined) return false;
  if (uidOf(last) !== object.metadata.uid && isCircuitOpen(object, run.world)) return true;
  return saysPaused(object) && asksForMore(xr, asked);
}

/** What is left of an XR that was deleted unheard. */
export const ofWentUnheard: readonly HarmKind[] = ['kept', 'left-behind'];

/** Whether it came back and somebody deleted it before any function was asked about it. */
export function wentUnheard(xr: string, {asked, living, run}: Ending): boolean {
  const last = asked.get(xr)?.requests.at(-1);
  if (last === undefined || living.has(xr) || !run.ledger.wasRestored(xr)) return false;
  return uidOf(last) !== run.ledger.lastUidAt(xr) && asksForMore(xr, asked);
}

function saysPaused(xr: KubeObject): boolean {
  return conditionOf(xr, 'Synced')?.reason === 'ReconcilePaused' && !isPaused(xr);
}

/**
 * Whether the XR says in every reconcile anew that its circuit is closed. Paused while it was open, Crossplane wrote why by an update,
 * and its apply, which leaves that out, does not take it away; so the condition differs each time, and has the time of now.
 */
export function saysAgain(xr: string, {asked, living}: Ending): boolean {
  const object = living.get(xr)?.at(-1)?.object;
  const {status, message = ''} = (object && conditionOf(object, 'Responsive')) ?? {};
  return status === 'True' && message !== '' && asksForMore(xr, asked);
}

/**
 * Whether its input, when it was heard last, asked for objects more, for a memory in its status, which changes with every name, or for a
 * move, whose every step is a change.
 */
function asksForMore(xr: string, asked: Ending['asked']): boolean {
  const {requests = [], input = {}} = asked.get(xr) ?? {};
  const more = [['externalNames', 'remember'], ['handover'], ['give'], ['take']];
  return requests.slice(-1).some(asksForUsages) || more.some((path) => at(input, path) !== undefined);
}

function isCircuitOpen(xr: KubeObject, {processes}: World): boolean {
  const memory = processes.get('crossplane')?.memory as Memory | undefined;
  if (memory === undefined) return false;
  const own = Object.values(memory.controllers).filter(
    (one) => one.type === 'composite' && groupKindOf(one.xrd.composite) === groupKindOf(xr),
  );
  return own.some(({name}) => openedBy(memory.breakers[name] ?? emptyBreaker, keyOf(xr.metadata)) !== undefined);
}
