import {equal, isList, isObject, type Json, type JsonObject} from '../json.ts';

// The two patches that know nothing of types: RFC 7386 (merge) and RFC 6902 (operations).

/** RFC 7386: objects are merged, null removes, anything else replaces. Unchanged parts are shared. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
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

/** RFC 6902; undefined where an operation cannot be carried out, which leaves nothing changed. */
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
      return value === undefined || find(target, steps) === undefined ? undefined : replace(target, steps, value);
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

/** evanphx/json-patch: testing for null passes where the path is missing. */
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
  const index = indexOf(head, target.length - 1);
  return index === undefined ? undefined : find(target[index], rest);
}

function add(target: Json, steps: readonly string[], value: Json): Json | undefined {
  return edit(target, steps, value, (parent, last) => {
    if (isObject(parent)) return {...parent, [last]: value};
    if (!isList(parent)) return undefined;
    const index = last === '-' ? parent.length : indexOf(last, parent.length);
    return index === undefined ? undefined : parent.toSpliced(index, 0, value);
  });
}

function replace(target: Json, steps: readonly string[], value: Json): Json | undefined {
  return edit(target, steps, value, (parent, last) => {
    if (isObject(parent)) return {...parent, [last]: value};
    return isList(parent) ? parent.with(Number(last), value) : undefined;
  });
}

function removeAt(target: Json, steps: readonly string[]): Json | undefined {
  return edit(target, steps, undefined, (parent, last) => {
    if (isList(parent)) return parent.toSpliced(Number(last), 1);
    if (!isObject(parent)) return undefined;
    const {[last]: _, ...rest} = parent;
    return rest;
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
  if (isList(target)) return target.with(Number(head), edited);
  return {...(target as JsonObject), [head]: edited};
}

function indexOf(step: string, max: number): number | undefined {
  if (!/^(0|[1-9]\d*)$/.test(step)) return undefined;
  const index = Number(step);
  return index <= max ? index : undefined;
}
