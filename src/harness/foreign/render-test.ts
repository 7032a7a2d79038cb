// A test of one render, whatever tool it was written for.

import type {Json, JsonObject} from '../../cluster/json.ts';
import type {RenderJob} from '../render/render-job.ts';

export interface RenderTest {
  readonly name: string;
  /** `file:line:column` of the test. */
  readonly place: string;
  /** By which later tests of the file name its output. */
  readonly id: string | undefined;
  /** The render of this test, given the results of earlier tests of the file. */
  readonly job: (outputs: Outputs) => Omit<RenderJob, 'builtins' | 'profile' | 'reconcilesMax' | 'captureContext'>;
  /** True if results and context are among the checked documents. */
  readonly withResults: boolean;
  readonly checks: readonly RenderCheck[];
}

/** The results of earlier tests by their id, the XR first. */
export type Outputs = ReadonlyMap<string, readonly JsonObject[]>;

/** A file of tests, and what of it is not heeded. */
export interface RenderSuite {
  readonly tests: readonly RenderTest[];
  /** Sentences: which fields have no meaning here, and why. */
  readonly notes: readonly string[];
}

export interface RenderCheck {
  readonly place: string;
  readonly name: string;
  readonly what: RenderExpected;
}

export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** `resource` is Kind or Kind/name, with `*` and `?`. */
export type RenderExpected =
  | {readonly kind: 'count'; readonly resource: string | undefined; readonly count: number}
  | {readonly kind: 'exists' | 'absent'; readonly resource: string}
  | {readonly kind: 'field-type'; readonly resource: string; readonly field: string; readonly type: FieldType}
  | {readonly kind: 'field-exists' | 'field-absent'; readonly resource: string; readonly field: string}
  | {readonly kind: 'field-value'; readonly resource: string; readonly field: string; readonly value: Json}
  /** The documents, or the resource's alone, are those of a file: byte for byte, or as values. */
  | {readonly kind: 'file'; readonly resource: string | undefined; readonly file: string; readonly exact: boolean}
  /** One document matches: maps as subsets, lists item by item. */
  | {readonly kind: 'matches'; readonly object: JsonObject};
