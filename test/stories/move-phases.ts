// What each example of a move says while it is under way, one row for each condition that an XR has: the condition
// `Tethered`, which is what `tether explain` says, the events of the first call that has it, and what that call counts. Names
// of objects are made up, and left out. A row that says more than before is read by who runs a move: change it with care.

export interface Phase {
  /** The kind of the XR. */
  readonly xr: string;
  readonly says: string;
  readonly events: readonly string[];
  /** By decision and reason. */
  readonly counted: {readonly [decision: string]: number};
}

export const phases: {readonly [file: string]: readonly Phase[]} = {
  'handover/rename.yaml': [
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a" to "b": Bucket "..." has both resource names until it is observed as "b"',
      events: ['HandingOverResource'],
      counted: {'move offering': 2},
    },
  ],
  'handover/kind.yaml': [
    {
      xr: 'App',
      says: 'Refusing: refusing to move composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: Crossplane has not answered yet whether it serves Bucket of cloud.m.example.org/v1',
      events: ['RefusingResource'],
      counted: {'refuse cannot-hand-over': 1},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: the old Bucket "..." is told to let its external resource go; next, once it is observed so and set aside, the new one observes it',
      events: ['HandingOverResource'],
      counted: {'move letting-go': 2},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: the new Bucket only observes the external resource; next, once it is Synced and the same, it gets its policies',
      events: [],
      counted: {'move observing': 2},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: the new Bucket has its policies; next, once it is Synced with them, the old Bucket "..." is released',
      events: [],
      counted: {'move taking-over': 2},
    },
  ],
  'handover/turn-back.yaml': [
    {
      xr: 'App',
      says: 'Refusing: refusing to move composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: Crossplane has not answered yet whether it serves Bucket of cloud.m.example.org/v1',
      events: ['RefusingResource'],
      counted: {'refuse cannot-hand-over': 1},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: the old Bucket "..." is told to let its external resource go; next, once it is observed so and set aside, the new one observes it',
      events: ['HandingOverResource'],
      counted: {'move letting-go': 2},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a", a Bucket of cloud.example.org/v1, to a Bucket of cloud.m.example.org/v1: the new Bucket only observes the external resource; next, once it is Synced and the same, it gets its policies',
      events: [],
      counted: {'move observing': 2},
    },
    {
      xr: 'App',
      says: 'HandingOver: waiting to create composed resource "a": Bucket "...", which it comes after, is not handed over yet; moving composed resource "a": turned back; next, once the new Bucket is observed to only observe, it is released',
      events: [],
      counted: {'move giving-back': 1, 'wait not-moved': 1},
    },
    {
      xr: 'App',
      says: 'HandingOver: moving composed resource "a": turned back; Bucket "..." is desired as "a" again until it is observed so',
      events: [],
      counted: {'move taking-back': 2},
    },
  ],
  'split-xr/scenario.yaml': [
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of a Database: it stays as it is; stopped: Crossplane has not answered yet who the other XR is; if it never does, no Database of example.org/v1 is served, so mend the rule',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the other XR has no object as "instance", of the kind that the rule names',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'Waiting: waiting to create composed resource "instance": input.take[0].resources[0] takes it from "db" of Shop "orders" and makes no new one; stopped: the other Composition has no rule that gives it to this XR',
      events: [],
      counted: {'wait not-moved': 1},
    },
    {
      xr: 'Database',
      says: 'Waiting: waiting to create composed resource "instance": the lookup of lost resources is not answered yet',
      events: [],
      counted: {'wait lookup-pending': 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it only observes the external resource; next, once it is Synced and the old object is observed to have let go, it gets its policies',
      events: [],
      counted: {'move observing': 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the new object is not Synced; its conditions say why',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": its provider is told to let the external resource go; next, once it is observed so and the other object has its policies, it is released',
      events: [],
      counted: {'move letting-go': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it has its policies; the move ends once the old object is gone',
      events: [],
      counted: {'move taking-over': 1},
    },
    {
      xr: 'Database',
      says: 'Tethered: every composed resource is as the pipeline wants it',
      events: ['HandedOverResource'],
      counted: {keep: 1},
    },
  ],
  'split-xr/taken-back.yaml': [
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of a Database: it stays as it is; stopped: Crossplane has not answered yet who the other XR is; if it never does, no Database of example.org/v1 is served, so mend the rule',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the other XR has no object as "instance", of the kind that the rule names',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'Waiting: waiting to create composed resource "instance": input.take[0].resources[0] takes it from "db" of Shop "orders" and makes no new one; stopped: the other Composition has no rule that gives it to this XR',
      events: [],
      counted: {'wait not-moved': 1},
    },
    {
      xr: 'Database',
      says: 'Waiting: waiting to create composed resource "instance": the lookup of lost resources is not answered yet',
      events: [],
      counted: {'wait lookup-pending': 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it only observes the external resource; next, once it is Synced and the old object is observed to have let go, it gets its policies',
      events: [],
      counted: {'move observing': 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the new object is not Synced; its conditions say why',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": its provider is told to let the external resource go; next, once it is observed so and the other object has its policies, it is released',
      events: [],
      counted: {'move letting-go': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it has its policies; the move ends once the old object is gone',
      events: [],
      counted: {'move taking-over': 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: taking composed resource "db" back from "instance" of Database "orders"; next, once nothing there could delete the external resource, it gets its policies',
      events: [],
      counted: {'move taking-back': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: giving composed resource "instance" back to "db" of Shop "orders": it is told to only observe; next, once it is observed so, the other object gets its policies',
      events: [],
      counted: {'move giving-back': 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it only observes the external resource; next, once it is Synced and the old object is observed to have let go, it gets its policies; stopped: the other Composition has no rule that gives it to this XR',
      events: [],
      counted: {'move observing': 1},
    },
  ],
  'split-xr/rule-removed.yaml': [
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of a Database: it stays as it is; stopped: Crossplane has not answered yet who the other XR is; if it never does, no Database of example.org/v1 is served, so mend the rule',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of a Database: it stays as it is; stopped: the Database that input.give[0].resources[0] names is not there; if it never will be, take the rule away',
      events: ['HandingOverResource'],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of a Database: it stays as it is; stopped: no rule gives it there any more, and no step desires it; put that rule back, or desire it again, or name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR to delete it with its external resource',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: no rule gives it there any more, and no step desires it; put that rule back, or desire it again, or name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR to delete it with its external resource',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'Waiting: waiting to create composed resource "instance": input.take[0].resources[0] takes it from "db" of a Shop and makes no new one; stopped: Crossplane has not answered yet who the other XR is; if it never does, no Shop of example.org/v1 is served, so mend the rule',
      events: [],
      counted: {'wait not-moved': 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it only observes the external resource; next, once it is Synced and the old object is observed to have let go, it gets its policies',
      events: [],
      counted: {'move observing': 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the other XR has no object as "instance", of the kind that the rule names',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": it stays as it is; stopped: the new object is not Synced; its conditions say why',
      events: [],
      counted: {'move offering': 1, keep: 1},
    },
    {
      xr: 'Shop',
      says: 'HandingOver: giving composed resource "db" to "instance" of Database "orders": its provider is told to let the external resource go; next, once it is observed so and the other object has its policies, it is released',
      events: [],
      counted: {'move letting-go': 1, keep: 1},
    },
    {
      xr: 'Database',
      says: 'HandingOver: taking composed resource "instance" from "db" of Shop "orders": it has its policies; the move ends once the old object is gone',
      events: [],
      counted: {'move taking-over': 1},
    },
    {
      xr: 'Database',
      says: 'Tethered: every composed resource is as the pipeline wants it',
      events: ['HandedOverResource'],
      counted: {keep: 1},
    },
  ],
};
