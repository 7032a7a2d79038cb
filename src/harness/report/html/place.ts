// Places on a track, as inline style.

export function place(from: number, to: number): string {
  return `left:${percent(from)};width:${percent(Math.max(0, to - from))}`;
}

export function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}
