import type {Scene} from '../input/scene.ts';
import type {Meter} from '../templates/cel/functions.ts';
import type {Templates} from '../templates/templates.ts';
import type {Protection} from '../usages/protect.ts';
import type {Decision} from '../words/decision.ts';
import type {Body} from './objects.ts';

/** The inputs of one plan's moves, within the XR and between XRs. */
export interface Given extends Scene {
  /** Templates that cannot be composed yet: the objects that they desire show nothing but what is there. */
  readonly unresolved: Templates['unresolved'];
  readonly protection: Protection;
  readonly meter: Meter;
}

/** The outcome for one resource name. Without a decision it is decided as if no rule was about it. */
export interface Part {
  readonly name: string;
  readonly decision?: Decision | undefined;
  readonly body?: Body | undefined;
  /** Its object leaves now, as soon as Usages let it, also where an earlier step desires it. */
  readonly leaves?: true;
}

/** The outcomes for all resource names of moves. */
export interface Moved {
  readonly decisions: ReadonlyMap<string, Decision>;
  /** The bodies of the decisions that put one. */
  readonly bodies: ReadonlyMap<string, Body>;
  readonly releasing: ReadonlySet<string>;
}

export class MovedParts implements Moved {
  readonly decisions = new Map<string, Decision>();
  readonly bodies = new Map<string, Body>();
  readonly releasing = new Set<string>();

  add({name, decision, body, leaves}: Part): void {
    if (leaves) this.releasing.add(name);
    if (decision !== undefined) this.decisions.set(name, decision);
    if (body !== undefined) this.bodies.set(name, body);
  }
}
