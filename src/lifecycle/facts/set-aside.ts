// Resource names that are function-tether's own: no order of the input selects them. Under one of them the old object of a hand-over
// waits, so that the new one can have the name in the Composition.

/** Requirement, and resource name, of the ConfigMap that remembers external names. */
export const memoryName = 'tether-external-names';

const prefix = 'tether-handover-of-';

export function setAsideName(resourceName: string): string {
  return `${prefix}${resourceName}`;
}

export function isSetAside(resourceName: string): boolean {
  return resourceName.startsWith(prefix);
}

/** The resource name that the object had before it was set aside. */
export function nameBefore(resourceName: string): string {
  return isSetAside(resourceName) ? resourceName.slice(prefix.length) : resourceName;
}
