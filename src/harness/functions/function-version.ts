// A function that moves to another package in the middle of a story is another program from then on. Its place is given as for
// any function, under the function's name and the package's. No function has a space in its name.

const between = ' of ';

/** The name of a package's program. */
export function versionName(name: string, reference: string): string {
  return `${name}${between}${reference}`;
}

/** The function itself: it is there from the start, as the package it has then. */
export function isFirst(key: string): boolean {
  return !key.includes(between);
}

/** The function whose program this is. */
export function functionOfVersion(key: string): string {
  return key.split(between)[0] as string;
}

/** True if `key` names one of the functions, in any package. */
export function isOneOf(key: string, names: readonly string[]): boolean {
  return names.includes(functionOfVersion(key));
}
