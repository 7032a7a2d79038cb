// The words of what a function answers, and their numbers in the contract's own terms (apiextensions.fn.proto.v1).

export type Severity = 'fatal' | 'warning' | 'normal';
export type Target = 'composite' | 'composite-and-claim';
/** READY_UNSPECIFIED, READY_TRUE, READY_FALSE. Any other number, of a later contract, counts as unspecified. */
export type Ready = 'unspecified' | 'true' | 'false';
export type ConditionStatus = 'Unknown' | 'True' | 'False';

/** An event on the XR. */
export interface Result {
  readonly severity: Severity;
  readonly message: string;
  /** PascalCase; if it is left out, Crossplane writes ComposeResources. */
  readonly reason?: string;
  readonly target?: Target;
}

/** A condition of the XR. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string;
  readonly target?: Target;
}

/** Objects that Crossplane should look up before it goes on. */
export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly match?:
    | {readonly kind: 'name'; readonly name: string}
    | {readonly kind: 'labels'; readonly labels: {readonly [key: string]: string}};
  /** Left out or '': cluster-scoped objects, or with labels those of every namespace. */
  readonly namespace?: string;
}

/** A kind whose schema Crossplane should look up. */
export type SchemaSelector = Pick<ResourceSelector, 'apiVersion' | 'kind'>;

export const readyNumbers: {readonly [ready in Ready]: number} = {unspecified: 0, true: 1, false: 2};
export const severityNumbers: {readonly [severity in Severity]: number} = {fatal: 1, warning: 2, normal: 3};
export const targetNumbers: {readonly [target in Target]: number} = {composite: 1, 'composite-and-claim': 2};
export const statusNumbers: {readonly [status in ConditionStatus]: number} = {Unknown: 1, True: 2, False: 3};

/** The readiness of a resource that a number stands for. */
export function readyOf(number: number): Ready {
  return number === readyNumbers.true ? 'true' : number === readyNumbers.false ? 'false' : 'unspecified';
}
