// Values that may not be there.
// google/cel-go v0.26.0 cel/library.go, common/types/optional.go. `or` and `orValue` are in ../evaluate.ts: they look at
// their argument only where they need it.

import {EvaluationProblem, isKind, itemsOf, listOf, none, noSuchOverload, optionalOf, type Value} from '../values.ts';
import type {Calls, Methods} from './call.ts';

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (isKind(value, 'uint')) return value.value === 0n;
  if (isKind(value, 'bytes')) return value.value.length === 0;
  if (isKind(value, 'list') || isKind(value, 'map')) return value.size === 0;
  if (isKind(value, 'duration')) return value.nanos === 0n;
  return isKind(value, 'optional') && value.value === undefined;
}

export const optionalFunctions: Calls = {
  'optional.none': () => none,
  'optional.of': ([value]) => optionalOf(value as Value),
  'optional.ofNonZeroValue': ([value]) => (isZero(value as Value) ? none : optionalOf(value as Value)),
  'optional.unwrap': unwrap,
};

/** The values that are there. */
function unwrap([list]: readonly Value[]): Value {
  if (!isKind(list, 'list')) throw noSuchOverload();
  return listOf(
    itemsOf(list).flatMap((item) => {
      if (!isKind(item, 'optional')) throw noSuchOverload();
      return item.value === undefined ? [] : [item.value];
    }),
  );
}

export const unwrapMethods: Methods = {of: (target) => isKind(target, 'list'), calls: {unwrapOpt: unwrap}};

export const optionalMethods: Methods = {
  of: (target) => isKind(target, 'optional'),
  calls: {
    hasValue: ([target]) => isKind(target, 'optional') && target.value !== undefined,
    value: ([target]) => {
      const value = isKind(target, 'optional') ? target.value : undefined;
      if (value === undefined) throw new EvaluationProblem('optional.none() dereference');
      return value;
    },
  },
};
