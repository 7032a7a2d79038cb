// The two patches that know nothing of types: RFC 7386 (merge) and RFC 6902 (operations), both as
// evanphx/json-patch v4 does them, which kubernetes/apiserver 24a394e51 uses.

import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';

/**
 * RFC 7386: objects are merged, null removes, anything else replaces; but as the server's library has it, a list that
 * does not replace an object loses the nulls in its objects too. Unchanged parts are shared.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (isList(patch)) return isObject(target) ? patch : withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const base = isObject(target) ? target : {};
  let out: {[key: string]: Json} | undefined;
  for (const [key, value] of Object.entries(patch)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    const after = value === null ? undefined : mergePatch(before, value);
    if (after === before) continue;
    out ??= {...base};
    if (after === undefined) delete out[key];
    else out[key] = after;
  }
  return out ?? base;
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(kept.map(([key, child]) => [key, withoutNulls(child)]));
}

/**
 * RFC 6902 as the server's library has it, which is laxer than the RFC: a missing key of an object reads as null, so it
 * can be copied, replaced and tested for; a value that is left out is null; negative indexes count from the end; what
 * stands before the first slash of a path is not looked at. Undefined where an operation cannot be carried out.
 */
export function jsonPatch(target: Json, operations: readonly Json[]): Json | undefined {
  let value: Json | undefined = target;
  for (const operation of operations) {
    if (value === undefined || !isObject(operation)) return undefined;
    value = operate(value, operation);
  }
  return value;
}

function operate(target: Json, {op, path, from, value = null}: JsonObject): Json | undefined {
  const isWhole = path === '';
  const to = pointer(path);
  switch (op) {
    case 'add':
      return to && atParent(target, to, (parent, last) => added(parent, last, value));
    case 'remove':
      return to && atParent(target, to, removed);
    case 'replace':
      if (isWhole) return typeof value === 'object' && value !== null ? value : undefined;
      return to && atParent(target, to, (parent, last) => replaced(parent, last, value));
    case 'test': {
      const found = isWhole ? target : to && read(target, to);
      return found !== undefined && equal(found, value) ? target : undefined;
    }
    case 'copy':
    case 'move': {
      const source = pointer(from);
      const moved = source && read(target, source);
      if (source === undefined || to === undefined || moved === undefined) return undefined;
      const base = op === 'move' ? atParent(target, source, removed) : target;
      return base === undefined ? undefined : atParent(base, to, (parent, last) => added(parent, last, moved));
    }
    default:
      return undefined;
  }
}

/** The steps of a path; undefined where it has no slash, as the empty path. */
function pointer(path: Json | undefined): readonly string[] | undefined {
  if (typeof path !== 'string' || !path.includes('/')) return undefined;
  const [, ...steps] = path.split('/');
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the path: null for a missing key of an object, undefined if the path leads nowhere. */
function read(target: Json, [head = '', ...rest]: readonly string[]): Json | undefined {
  const child = childAt(target, head);
  return rest.length === 0 || child === undefined ? child : read(child, rest);
}

function childAt(target: Json, step: string): Json | undefined {
  if (isObject(target)) return Object.hasOwn(target, step) ? target[step] : null;
  if (!isList(target)) return undefined;
  const index = indexOf(step, target.length, target.length - 1);
  return index === undefined ? undefined : target[index];
}

function added(parent: Json, last: string, value: Json): Json | undefined {
  if (isObject(parent)) return {...parent, [last]: value};
  if (!isList(parent)) return undefined;
  const index = last === '-' ? parent.length : indexOf(last, parent.length + 1, parent.length);
  return index === undefined ? undefined : parent.toSpliced(index, 0, value);
}

function replaced(parent: Json, last: string, value: Json): Json | undefined {
  if (isObject(parent)) return {...parent, [last]: value};
  if (!isList(parent)) return undefined;
  const index = indexOf(last, parent.length, parent.length - 1);
  return index === undefined ? undefined : parent.with(index, value);
}

function removed(parent: Json, last: string): Json | undefined {
  if (isObject(parent)) {
    if (!Object.hasOwn(parent, last)) return undefined;
    const {[last]: _, ...rest} = parent;
    return rest;
  }
  if (!isList(parent)) return undefined;
  const index = indexOf(last, parent.length, parent.length - 1);
  return index === undefined ? undefined : parent.toSpliced(index, 1);
}

/** The target with the parent of the path's last step changed. */
function atParent(
  target: Json,
  [head = '', ...rest]: readonly string[],
  change: (parent: Json, last: string) => Json | undefined,
): Json | undefined {
  if (rest.length === 0) return change(target, head);
  const child = childAt(target, head);
  const edited = child === undefined ? undefined : atParent(child, rest, change);
  return edited === undefined ? undefined : replaced(target, head, edited);
}

/** The index a step names, of which `count` is one past the last when counted from the end; undefined beyond `max`. */
function indexOf(step: string, count: number, max: number): number | undefined {
  if (!/^[+-]?\d+$/.test(step)) return undefined;
  const index = Number(step) < 0 ? count + Number(step) : Number(step);
  return index >= 0 && index <= max ? index : undefined;
}
