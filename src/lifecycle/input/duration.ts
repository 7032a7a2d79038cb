// Durations as Go writes them, which is how every input around Crossplane does.

const seconds: {readonly [unit: string]: number} = {ms: 0.001, s: 1, m: 60, h: 3600};

/** Whole seconds, rounded up so that a short duration is not none. `text` has passed the schema's pattern. */
export function secondsOf(text: string): number {
  let sum = 0;
  for (const [, amount = '0', unit = 's'] of text.matchAll(/([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/g)) {
    sum += Number(amount) * (seconds[unit] ?? 0);
  }
  return Math.ceil(sum);
}
