// The API server's errors: Kubernetes' Status with its codes, reasons and sentences.
// kubernetes/apimachinery eed236ce pkg/api/errors/errors.go, pkg/util/validation/field/errors.go.

import type {Json} from '../json.ts';
import type {ApiError} from './request.ts';

type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid';

/** One thing wrong with an object. `message` is without the field in front. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly message: string;
}

export function required(field: string, detail = ''): FieldError {
  return fieldError('FieldValueRequired', field, 'Required value', detail);
}

export function invalidValue(field: string, value: Json, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, `Invalid value: ${printValue(value)}`, detail);
}

/** Of a value that is printed already. */
export function printedInvalid(field: string, value: string, detail: string): FieldError {
  return fieldError('FieldValueInvalid', field, `Invalid value: ${value}`, detail);
}

export function typeInvalid(field: string, value: Json, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', field, `Invalid value: ${printValue(value)}`, detail);
}

export function notSupported(field: string, value: Json, supported: readonly string[]): FieldError {
  const values = supported.map((text) => JSON.stringify(text)).join(', ');
  return fieldError(
    'FieldValueNotSupported',
    field,
    `Unsupported value: ${printValue(value)}`,
    `supported values: ${values}`,
  );
}

export function duplicate(field: string, value: Json): FieldError {
  return fieldError('FieldValueDuplicate', field, `Duplicate value: ${printValue(value)}`, '');
}

export function forbiddenField(field: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', field, 'Forbidden', detail);
}

export function tooLong(field: string, max: number): FieldError {
  return fieldError('FieldValueTooLong', field, 'Too long', `may not be more than ${max} bytes`);
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return fieldError('FieldValueTooMany', field, `Too many: ${actual}`, `must have at most ${max} items`);
}

/** `name` is printed quoted; `qualified` is `Kind.group` or `plural.group`, as the place that rejects chooses. */
export function invalid(qualified: string, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map(({field, message}) => (field === '' ? message : `${field}: ${message}`)))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return {
    ok: false,
    code: 422,
    reason: 'Invalid',
    message: `${qualified} ${quoted(name)} is invalid: ${list}`,
    causes: errors.map(({type, field, message}) => ({reason: type, message, field})),
  };
}

export function notFound(resource: string, name: string): ApiError {
  return {ok: false, code: 404, reason: 'NotFound', message: `${resource} ${quoted(name)} not found`};
}

/** The 404 for a kind, version or subresource that is not served. */
export function noSuchResource(): ApiError {
  return {ok: false, code: 404, reason: 'NotFound', message: 'the server could not find the requested resource'};
}

export function alreadyExists(resource: string, name: string): ApiError {
  return {ok: false, code: 409, reason: 'AlreadyExists', message: `${resource} ${quoted(name)} already exists`};
}

export function conflict(resource: string, name: string, detail: string): ApiError {
  return {
    ok: false,
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${resource} ${quoted(name)}: ${detail}`,
  };
}

export function forbidden(resource: string, name: string, detail: string): ApiError {
  return {ok: false, code: 403, reason: 'Forbidden', message: `${resource} ${quoted(name)} is forbidden: ${detail}`};
}

/** `detail`: the right that is lacked. '' for the name if none is asked for. */
export function notAllowed(resource: string, name: string, detail: string): ApiError {
  if (name !== '') return forbidden(resource, name, detail);
  return {ok: false, code: 403, reason: 'Forbidden', message: `${resource} is forbidden: ${detail}`};
}

export function badRequest(message: string): ApiError {
  return {ok: false, code: 400, reason: 'BadRequest', message};
}

/** An error that upstream did not turn into a Status of its own: code 500 and no reason. */
export function plainError(message: string): ApiError {
  return {ok: false, code: 500, reason: '', message};
}

/** A 422 without details: the answer to a failing JSON patch. */
export function unprocessable(): ApiError {
  return {
    ok: false,
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  };
}

export const optimisticLock =
  'the object has been modified; please apply your changes to the latest version and try again';

function fieldError(type: FieldErrorType, field: string, what: string, detail: string): FieldError {
  return {type, field, message: detail === '' ? what : `${what}: ${detail}`};
}

function printValue(value: Json): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
