import {perMille} from './page-data.ts';

// Places on a track, as inline style.

export function place(from: number, to: number): string {
  return `left:${percent(from)};width:${percent(Math.max(0, to - from))}`;
}

export function percent(part: number): string {
  return `${perMille(part) / 10}%`;
}
