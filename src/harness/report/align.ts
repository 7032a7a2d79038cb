// Two lists beside each other by their longest common subsequence.

export type Aligned<T> =
  | {readonly kind: 'both'; readonly left: T; readonly right: T}
  | {readonly kind: 'left'; readonly left: T}
  | {readonly kind: 'right'; readonly right: T};

/** Every item of both lists, in their order; where there is a choice, what only the left one has comes first. */
export function align<T>(
  left: readonly T[],
  right: readonly T[],
  isSame: (left: T, right: T) => boolean,
): readonly Aligned<T>[] {
  const width = right.length + 1;
  const common = new Uint32Array((left.length + 1) * width);
  for (let one = left.length - 1; one >= 0; one--) {
    for (let other = right.length - 1; other >= 0; other--) {
      const here = one * width + other;
      common[here] = isSame(left[one] as T, right[other] as T)
        ? (common[here + width + 1] ?? 0) + 1
        : Math.max(common[here + width] ?? 0, common[here + 1] ?? 0);
    }
  }
  const aligned: Aligned<T>[] = [];
  let [one, other] = [0, 0];
  while (one < left.length || other < right.length) {
    const here = one * width + other;
    if (one < left.length && other < right.length && isSame(left[one] as T, right[other] as T)) {
      aligned.push({kind: 'both', left: left[one++] as T, right: right[other++] as T});
    } else if (other >= right.length || (one < left.length && (common[here + width] ?? 0) >= (common[here + 1] ?? 0))) {
      aligned.push({kind: 'left', left: left[one++] as T});
    } else {
      aligned.push({kind: 'right', right: right[other++] as T});
    }
  }
  return aligned;
}
