import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';

// The two patches that know nothing of types: RFC 7386 (merge) and RFC 6902 (operations), both as
// evanphx/json-patch v4 does them, which kubernetes/apiserver 24a394e51 uses.

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
 * RFC 6902 as the server's library has it: replacing a missing key of an object adds it, negative indexes count from
 * the end, a test for null passes where there is nothing. Undefined where an operation cannot be carried out.
 */
export function jsonPatch(target: Json, operations: readonly Json[]): Json | undefined {
  let value: Json | undefined = target;
  for (const operation of operations) {
    if (value === undefined || !isObject(operation)) return undefined;
    value = operate(value, operation);
  }
  return value;
}

function operate(target: Json, {op, path, from, value}: JsonObject): Json | undefined {
  const steps = pointer(path);
  const source = pointer(from);
  if (steps === undefined) return undefined;
  switch (op) {
    case 'add':
      return value === undefined ? undefined : add(target, steps, value);
    case 'remove':
      return find(target, steps) === undefined ? undefined : removeAt(target, steps);
    case 'replace':
      return value === undefined ? undefined : replace(target, steps, value);
    case 'test':
      return test(find(target, steps), value ?? null) ? target : undefined;
    case 'copy':
    case 'move': {
      const moved = source === undefined ? undefined : find(target, source);
      if (moved === undefined || source === undefined) return undefined;
      const base = op === 'move' ? removeAt(target, source) : target;
      return base === undefined ? undefined : add(base, steps, moved);
    }
    default:
      return undefined;
  }
}

function test(found: Json | undefined, value: Json): boolean {
  return found === undefined ? value === null : equal(found, value);
}

function pointer(path: Json | undefined): readonly string[] | undefined {
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) return undefined;
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(target: Json | undefined, steps: readonly string[]): Json | undefined {
  const [head, ...rest] = steps;
  if (head === undefined) return target;
  if (isObject(target)) return Object.hasOwn(target, head) ? find(target[head], rest) : undefined;
  if (!isList(target)) return undefined;
  const index = indexOf(head, target.length, target.length - 1);
  return index === undefined ? undefined : find(target[index], rest);
}

function add(target: Json, steps: readonly string[], value: Json): Json | undefined {
  return edit(target, steps, value, (parent, last) => {
    if (isObject(parent)) return {...parent, [last]: value};
    if (!isList(parent)) return undefined;
    const index = last === '-' ? parent.length : indexOf(last, parent.length + 1, parent.length);
    return index === undefined ? undefined : parent.toSpliced(index, 0, value);
  });
}

function replace(target: Json, steps: readonly string[], value: Json): Json | undefined {
  return edit(target, steps, value, (parent, last) => {
    if (isObject(parent)) return {...parent, [last]: value};
    if (!isList(parent)) return undefined;
    const index = indexOf(last, parent.length, parent.length - 1);
    return index === undefined ? undefined : parent.with(index, value);
  });
}

function removeAt(target: Json, steps: readonly string[]): Json | undefined {
  return edit(target, steps, undefined, (parent, last) => {
    if (isObject(parent)) {
      const {[last]: _, ...rest} = parent;
      return rest;
    }
    if (!isList(parent)) return undefined;
    const index = indexOf(last, parent.length, parent.length - 1);
    return index === undefined ? undefined : parent.toSpliced(index, 1);
  });
}

/** Edits the parent of the last step; `whole` is the result where there are no steps. */
function edit(
  target: Json,
  steps: readonly string[],
  whole: Json | undefined,
  change: (parent: Json, last: string) => Json | undefined,
): Json | undefined {
  const [head, ...rest] = steps;
  if (head === undefined) return whole;
  if (rest.length === 0) return change(target, head);
  const child = find(target, [head]);
  const edited = child === undefined ? undefined : edit(child, rest, whole, change);
  if (edited === undefined) return undefined;
  if (!isList(target)) return {...(target as JsonObject), [head]: edited};
  return target.with(indexOf(head, target.length, target.length - 1) ?? 0, edited);
}

/** The index a step names, of which `count` is one past the last when counted from the end; undefined beyond `max`. */
function indexOf(step: string, count: number, max: number): number | undefined {
  if (!/^-?\d+$/.test(step)) return undefined;
  const index = Number(step) < 0 ? count + Number(step) : Number(step);
  return index >= 0 && index <= max ? index : undefined;
}
