// Which decision, by name, explains which harm: because the input asked for it, or because the function refuses what it cannot do
// without harm and says so.

import type {Harm, HarmKind} from './harm.ts';

const stays: readonly HarmKind[] = ['kept', 'overwritten', 'left-behind', 'doubled', 'deleting'];
const waits: readonly HarmKind[] = ['missing', 'not-ready', 'gone'];

export const heldAsAsked = ['hold over-budget', 'hold awaiting-approval'];

export const refusedInput = 'refuse invalid-input';

export const explained: {readonly [name: string]: readonly HarmKind[]} = {
  // The removal part: what it keeps, stays as it was.
  retain: stays,
  'hold awaiting-approval': stays,
  'hold over-budget': stays,
  'refuse cannot-orphan': stays,
  'hold orphan-first': stays,
  // The protect, order and usages parts, and Usages that the Composition has of its own.
  'hold protected': stays,
  'hold still-used-by': stays,
  // Templates and orders of creation.
  'hold unresolved': stays,
  // What a restore brought back meanwhile waits for its owner, too, where nobody may look for it.
  'wait creation-order': [...waits, 'unowned'],
  // An order that waits for what the Composition composes no more: nobody else waits, and the condition names the step.
  'wait nothing-selected': [...waits, 'unowned'],
  'wait unresolved': waits,
  // Refusals that protect what is there: another kind under a key.
  'hold kind-changed': [...stays, 'missing', 'recreated'],
  'refuse kind-changed': [...stays, 'missing'],
  'refuse stale-controller': [...stays, ...waits],
  'wait stale-controller': waits,
  // The Usage that it waits for was asked for.
  'wait former-usage': waits,
  'wait ambiguous-lookup': waits,
  // What another XR has not given is not taken, and what this one gave away is not made here again; neither is made anew.
  'wait not-given': waits,
  // The object it had here goes, unless somebody's finalizer keeps it, and what a backup of before brings back is nobody's.
  'wait given-away': [...waits, 'deleting', 'unowned'],
  // A rule of a move: what it does not allow yet, or only says, stays, and what comes after it waits.
  'refuse cannot-hand-over': [...stays, 'missing'],
  'wait handed-over-later': waits,
  // What else is dropped stays until the move is over.
  'hold hand-over-in-progress': stays,
  // It is to be the other XR's: neither let go before that one can take it, nor made here once more of another kind.
  'exchange offering': ['kept', 'missing', 'left-behind'],
  // The step's input is no input: nothing is changed, and one sentence says where. What a restore brought back waits for
  // its owner, too: an object that nobody owns is nobody's to take, and the owner GC leaves it alone.
  [refusedInput]: [...stays, ...waits, 'not-synced', 'elsewhere', 'recreated', 'destroyed', 'unowned'],
};

/** The first step of what goes on as an object of another kind. */
export const lettingGo = 'hand-over setting-aside';

/** Its policies are to let go, also where a person wrote them: it stays until the other XR is to have what it leads to. */
export const letGoForAnother = 'exchange letting-go';

/**
 * Moves that a rule of the input asks for, of each resource that was under way in this life of the XR. Nothing that is
 * destroyed or made twice in the cloud is explained by one, but what a person destroyed who deleted the new object.
 */
export const moved: {readonly [name: string]: readonly HarmKind[]} = {
  'hand-over renaming': ['kept', 'missing'],
  // What it is to be of next waits until this move is over.
  [lettingGo]: ['gone', 'missing'],
  // Dropped in the middle, it goes once the move is over, which it may never be.
  'hand-over observing': ['redirected', 'kept', 'missing'],
  [letGoForAnother]: ['gone'],
  'exchange observing': ['redirected'],
  // Once the rule is taken away, it is made here again.
  'wait given-away': ['recreated'],
  // No move, but over by the end, too: it went with the XR of before, of which nothing is taken over.
  'wait stale-controller': ['recreated'],
};

/** Which fields they overwrite: its policies, and what its provider reads off the external resource that it has from now on. */
export function isWrittenBy(move: string, {field = '', isAdded = false}: Harm): boolean {
  const isPolicy = field === 'spec.deletionPolicy' || field === 'spec.managementPolicies';
  switch (move) {
    case lettingGo:
    case letGoForAnother:
      return isPolicy;
    case 'hand-over observing':
    case 'exchange observing':
      return isPolicy || (isAdded && field.startsWith('spec.forProvider.'));
    default:
      return false;
  }
}

/** What was given to another XR is that one's: it went with it, or once that one wanted it no more. */
export const givenAway: readonly HarmKind[] = ['gone', 'destroyed'];

/**
 * What a refusal kept in an XR that was lost since went with that XR, as all that it owns; without the function it had been
 * forgotten by then, and lives on. The XR of now never saw it. What a move has let go and not taken over yet nobody deletes with
 * the XR: it stays in the cloud (docs/handover.md).
 */
export const wentWithXr: {readonly [name: string]: readonly HarmKind[]} = {
  'refuse kind-changed': ['gone', 'destroyed'],
  'hold kind-changed': ['gone', 'destroyed'],
  [lettingGo]: ['left-behind', 'doubled'],
  'hand-over observing': ['left-behind', 'doubled'],
};

/** What an XR has of a move goes with that XR; without the function it had been forgotten by then, and lives on. */
export const wentWithMover: readonly HarmKind[] = ['gone', 'destroyed', 'recreated'];

/** Parts of the input that ask for a difference in every resource they select. */
export const parts: {readonly [part: string]: readonly HarmKind[]} = {
  // A Usage without `by` denies every deletion of what it protects, of the XR, too.
  // Where the XR is made again, as after a restore, there is another one beside it.
  protect: ['kept', 'deleting', 'left-behind', 'doubled'],
  // The saved object is left out by the tool, for its name is taken: that is what a stable name is. What a saved XR had composed
  // is nobody's then. What somebody's finalizer keeps on its way out has the name, too.
  'restore.stableNames': ['replaced', 'kept', 'doubled', 'left-behind', 'gone'],
};
