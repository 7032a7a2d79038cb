// JSON values as a google.protobuf.Struct can hold them. Immutable by type: a change makes a new value.
//
// Objects that this folder decodes inherit nothing. A resource may carry any key (`__proto__`, `constructor`, `toString` are legal
// keys of a ConfigMap's data), and reading a key of such an object finds what the message holds or nothing, never something
// inherited; `__proto__` is a key like any other.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a JSON object, false for null, a list and everything that is not JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
