// Kubernetes' quantities (`100m`, `1.5Gi`), counted in billionths, their smallest unit.
// kubernetes/apiserver v0.34.4 pkg/cel/library/quantity.go; kubernetes/apimachinery pkg/api/resource/quantity.go. Not modelled: the
// cap at 2^63 - 1.

import {EvaluationProblem, type OpaqueValue, type Value} from '../values.ts';
import {type Calls, comparing, type Methods, ofText, opaqueType} from './call.ts';

const {of, contentOf: amountOf, make} = opaqueType<bigint>('kubernetes.Quantity');
const one = 1_000_000_000n;

const decimal: {readonly [suffix: string]: number} = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const written = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))([KMGTPE]i|[numkMGTPE]?|[eE][+-]?\d+)$/;

/** In billionths, rounded away from zero; undefined where the text is no quantity. */
function parse(text: string): bigint | undefined {
  const match = written.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', behind, only, suffix = ''] = match;
  const fraction = behind ?? only ?? '';
  const digits = BigInt(`${whole}${fraction}` || '0');
  const power = binary.indexOf(suffix) + 1;
  const exponent = suffix in decimal ? (decimal[suffix] ?? 0) : power > 0 ? 0 : Number(suffix.slice(1));
  const scaled = digits * 1024n ** BigInt(power);
  const places = 9 + exponent - fraction.length;
  const billionths = places >= 0 ? scaled * 10n ** BigInt(places) : roundedUp(scaled, 10n ** BigInt(-places));
  return sign === '-' ? -billionths : billionths;
}

function roundedUp(value: bigint, by: bigint): bigint {
  return value / by + (value % by === 0n ? 0n : 1n);
}

function quantity(billionths: bigint): OpaqueValue {
  return make(String(billionths), billionths);
}

/** A quantity, or a whole number where one may stand for it. */
function termOf(value: Value | undefined): bigint {
  return typeof value === 'bigint' ? value * one : amountOf(value);
}

function order(left: Value | undefined, right: Value | undefined): bigint {
  const difference = amountOf(left) - amountOf(right);
  return difference < 0n ? -1n : difference > 0n ? 1n : 0n;
}

const isWhole = (amount: bigint) => amount % one === 0n && BigInt.asIntN(64, amount / one) === amount / one;

export const quantityFunctions: Calls = {
  quantity: ofText((text) => {
    const amount = parse(text);
    if (amount === undefined) {
      throw new EvaluationProblem(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    }
    return quantity(amount);
  }),
  isQuantity: ofText((text) => parse(text) !== undefined),
  sign: ([value]) => order(value, quantity(0n)),
};

export const quantityMethods: Methods = {
  of,
  calls: {
    ...comparing(order),
    asApproximateFloat: ([value]) => Number(amountOf(value)) / Number(one),
    isInteger: ([value]) => isWhole(amountOf(value)),
    asInteger: ([value]) => {
      const amount = amountOf(value);
      if (!isWhole(amount)) throw new EvaluationProblem('cannot convert value to integer');
      return amount / one;
    },
    add: ([left, right]) => quantity(amountOf(left) + termOf(right)),
    sub: ([left, right]) => quantity(amountOf(left) - termOf(right)),
  },
};
