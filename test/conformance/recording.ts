import {readFileSync} from 'node:fs';
import type {KubeObject} from '../../src/cluster/object.ts';
import {InputError} from '../../src/harness/input/input-error.ts';

// A recording, as far as conformance reads it. The rest (apiWrites, functionCalls, k8sEvents) is for people.

export interface Recording {
  readonly scenario: string;
  /** The Crossplane that was recorded: `v1.16.1 (tag, 2024)`. */
  readonly crossplane?: string;
  readonly steps: readonly RecordedEnd[];
}

export interface RecordedEnd {
  readonly index: number;
  readonly label: string;
  readonly results?: readonly StepResult[];
  /** false: the recorder gave up waiting, so the snapshot is a moment in the middle. Absent: it did not wait. */
  readonly quiet?: boolean;
  readonly snapshot: readonly KubeObject[];
}

/** What one request of a step was answered. `error` where it could not be made at all. */
export interface StepResult {
  readonly ref?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly error?: string;
}

export function readRecording(file: string): Recording {
  const value = JSON.parse(readFileSync(file, 'utf8')) as Recording;
  if (!Array.isArray(value.steps)) throw new InputError('must be a recording with a list "steps"', {place: file});
  return value;
}
