// The place of a function of a pipeline. The form of a test that passes it as a program has the same fields, but times in
// milliseconds.

import {type Cursor, pathText} from '../input/cursor.ts';
import {duration} from '../input/duration.ts';
import {byField, filled, list, oneOf, type Read, tagged, text, to, where} from '../input/form.ts';
import {called, map, may, must, refused} from '../input/map-form.ts';

/** The annotation of a Function's manifest that gives its place to `crossplane render`. */
export const annotationRuntime = 'render.crossplane.io/runtime';
export const annotationTarget = 'render.crossplane.io/runtime-development-target';
export const defaultTarget = 'localhost:9443';

/** The address in a Function's manifest for `crossplane render`, undefined if it has none. */
export function developmentTarget(annotations: {readonly [key: string]: string}): string | undefined {
  return annotations[annotationTarget]?.replace(/^(dns|passthrough):\/\/\//, '');
}

/** An address as gRPC dials it. */
export function targetOf(address: string): string {
  return address.replace(/^dns:\/\/\//, '');
}

export const addressFields = {
  address: must(to(text, targetOf), 'HOST:PORT where it listens, without TLS. {port} is a free port for its command.'),
};

export const commandFields = {
  command: must(
    where(list(text), filled('command must name a program, got an empty list')),
    'A program and its arguments, started beside the scenario, once for all runs. {port} is a free port.',
  ),
  ...addressFields,
};

/** A command has an address, too: the first that is there counts. */
export function missingAddress(cursor: Cursor, given: readonly string[], also = ''): string | undefined {
  return given.length === 0 ? `${pathText(cursor)} must ${also}have one of builtin, address, command` : undefined;
}

const limit = {
  timeout: called(
    'timeoutMs',
    may(duration, 'How long a call may take, in real time; who takes longer hangs. 10s unless set.'),
  ),
};

const startLimit = {
  startTimeout: called(
    'startTimeoutMs',
    may(duration, 'How long it may take to answer at its address, in real time. 20s unless set.'),
  ),
};

export function builtinForm(names: readonly string[]) {
  const builtin = must(oneOf(...names), 'One of the harness: function-static, passing and others.');
  return to(map({builtin}), ({builtin: name}) => ({kind: 'builtin' as const, name}));
}

/** Where a function runs. */
export function functionForm(builtins: readonly string[]) {
  return byField(
    {
      builtin: builtinForm(builtins),
      command: tagged('command', map({...commandFields, ...limit, ...startLimit})),
      address: tagged(
        'address',
        map({
          ...addressFields,
          ...limit,
          startTimeout: refused('startTimeout must stand beside a command, got an address alone'),
        }),
      ),
    },
    (cursor, given) => missingAddress(cursor, given),
  );
}

export type FunctionSource = Read<ReturnType<typeof functionForm>>;

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
