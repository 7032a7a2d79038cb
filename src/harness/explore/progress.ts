import type {Progress} from '../../explore/result.ts';

/** How far a search is after `tookMs`. */
export function searchText(title: string, {uniqueStates, depth, frontier}: Progress, tookMs: number): string {
  const rate = Math.round((uniqueStates * 1000) / Math.max(1, tookMs));
  return `${title}: ${uniqueStates} states, ${rate} a second, depth ${depth}, ${frontier} waiting`;
}
