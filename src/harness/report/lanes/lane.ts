// A swim-lane: one row of the page, the same for every variant it stands in.

import type {KubeObject} from '../../../cluster/object.ts';
import type {Instant} from '../../control-plane/record/history.ts';
import type {Phase} from './phase.ts';

export type Mark =
  | 'created'
  | 'restored'
  | 'adopted'
  | 'deleting'
  | 'gone'
  | 'orphaned'
  | 'refused'
  | 'forgot'
  | 'warned'
  | 'called'
  | 'decided'
  | 'failed'
  | 'edited'
  | 'cloud-create'
  | 'cloud-delete';

/** Something that happened in a lane. */
export interface Moment extends Instant {
  /** Sentences; the first is the most important. */
  readonly texts: readonly string[];
  readonly mark?: Mark;
  /** Versions of the lane's object to compare; neither where the moment changed no object. */
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

export interface LaneSpan {
  readonly look: Phase | 'running' | 'count';
  readonly from: Instant;
  readonly to: Instant;
  /** Shown inside the bar where there is room. */
  readonly text: string;
  /** Part of the lane's height, 0 to 1; all of it where absent. */
  readonly height?: number;
}

export interface LaneGroup {
  /** Groups stand in this order, and those of one rank by title. */
  readonly rank: number;
  readonly title: string;
  readonly note: string;
}

export interface ExternalSpan {
  readonly from: Instant;
  readonly to: Instant;
  readonly text: string;
  /** Another one of the same managed resource was alive already when this one came. */
  readonly isDouble: boolean;
}

export interface Lane {
  readonly group: LaneGroup;
  /** Lanes of one key are one row, whatever the variant. */
  readonly key: string;
  readonly label: string;
  /** Shown beside the label in small: a kind. Rows of one detail stand together. */
  readonly detail: string;
  /** The object's own name and more, for who asks. */
  readonly fullName: string;
  readonly spans: readonly LaneSpan[];
  /** In the order of time. */
  readonly moments: readonly Moment[];
  /** While something of it is alive in the cloud. */
  readonly external: readonly ExternalSpan[];
}

export const groupControl: LaneGroup = {
  rank: 0,
  title: 'Crossplane',
  note: 'process, functions',
};
export const groupComposites: LaneGroup = {rank: 1, title: 'Composite resources', note: 'XRs and claims'};
export const groupComposed: LaneGroup = {
  rank: 2,
  title: 'Composed resources',
  note: 'by kind',
};
export const groupUsages: LaneGroup = {rank: 3, title: 'Usages', note: 'what protects what'};
export const groupPlatform: LaneGroup = {rank: 4, title: 'Platform', note: 'what of it changed'};
export const groupCloud: LaneGroup = {rank: 5, title: 'Cloud', note: 'external resources'};
