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
  /** Its object leaves now, as soon as Usages let it, also where an earlier step desires it: what it stood for is here or there. */
  readonly leaves?: 'within-xr' | 'to-other-xr';
}
