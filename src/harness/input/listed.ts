// Amounts in a sentence, and lists that are too long to be read: the first of them, and how many more there are.

/** `1 orphan`, `2,000 orphans`. */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`;
}

/** `a, b and 3 more`. */
export function listed(texts: readonly (string | number)[], max: number, between = ', ', more = 'more'): string {
  const rest = texts.length > max ? ` and ${texts.length - max} ${more}` : '';
  return `${texts.slice(0, max).join(between)}${rest}`;
}

/** The lines of the first, and one that begins with `and`. */
export function listedLines<T>(
  items: readonly T[],
  max: number,
  linesOf: (item: T) => string | readonly string[],
  and = '  ... and',
): readonly string[] {
  const more = items.length > max ? [`${and} ${items.length - max} more`] : [];
  return [...items.slice(0, max).flatMap(linesOf), ...more];
}
