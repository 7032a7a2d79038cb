// JSON values as a google.protobuf.Struct can hold them. Immutable by type: whoever changes a value makes a new one.
//
// Objects that this folder decodes have no prototype. A resource may carry any key (`__proto__`, `constructor`,
// `toString` are all legal label values' keys), and on an object without prototype reading a key finds what the
// message holds or nothing, never something inherited, and `__proto__` is a key like any other.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object, false for null, a list and everything that is not JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
