import {describe, expect, test} from 'vitest';
import type {KubeObject} from '../../../src/cluster/object.ts';
import type {Ending, Found} from '../../../src/harness/twin/ending.ts';
import type {Made, MadeExternal} from '../../../src/harness/twin/ledger.ts';
import {hasMovedOn, isInUseElsewhere} from '../../../src/harness/twin/moved-on.ts';

// A restore forgets a bucket with and without the function, and another one is made. Then its resource name changes from
// `b` to `moved`: with the function the second one goes on as `moved`, without it a third one is made.

const xr = 'Site shop';
const at = (name: string, index = 0): Made => ({
  place: `${xr} > ${name}`,
  address: `Bucket ${name}`,
  index,
  xr,
  resourceName: name,
});

function bucket(made: Made, resourceName: string, externalName: string, controller: string | undefined = xr): Found {
  const annotations = {
    'crossplane.io/composition-resource-name': resourceName,
    'crossplane.io/external-name': externalName,
  };
  return {made, object: {apiVersion: 'v1', kind: 'Bucket', metadata: {name: made.address, annotations}}, controller};
}

function ending(desired: readonly string[], ...all: readonly Found[]): Ending {
  const living = Map.groupBy(all, ({made}) => made.place);
  const idOf = ({metadata}: KubeObject) => metadata.annotations?.['crossplane.io/external-name'] ?? '';
  const asked = new Map([[xr, {desired: new Set(desired)}]]);
  return {living, asked, run: {ledger: {idOf}}} as unknown as Ending;
}

const second: MadeExternal = {...at('b', 1), id: 'ext-2'};
const renamed = bucket(at('b', 1), 'moved', 'ext-2');
const w = ending(['moved'], renamed);
const wo = ending(['moved'], bucket(at('moved'), 'moved', 'ext-3'));

describe('what goes on under another resource name', () => {
  test('is one of the new name, where that has another one without the function', () => {
    expect(hasMovedOn(renamed, w, wo)).toBe(true);
    expect(isInUseElsewhere(second, w, wo)).toBe(true);
  });

  test('is not, where the new name has none without the function', () => {
    expect(hasMovedOn(renamed, w, ending(['moved']))).toBe(false);
    expect(isInUseElsewhere(second, w, ending(['moved']))).toBe(false);
  });

  test('is not, where no step desires the new name, or nobody controls the object', () => {
    expect(hasMovedOn(renamed, ending(['b'], renamed), wo)).toBe(false);
    expect(isInUseElsewhere(second, ending(['b'], renamed), wo)).toBe(false);
    const nobodys = {...renamed, controller: undefined};
    expect(hasMovedOn(nobodys, ending(['moved'], nobodys), wo)).toBe(false);
    expect(isInUseElsewhere(second, ending(['moved'], nobodys), wo)).toBe(false);
  });

  test('is not, as long as it has the name it was made under', () => {
    const same = bucket(at('b', 1), 'b', 'ext-2');
    const there = ending(['b'], bucket(at('b', 1), 'b', 'ext-3'));
    expect(hasMovedOn(same, ending(['b'], same), there)).toBe(false);
    expect(isInUseElsewhere(second, ending(['b'], same), there)).toBe(false);
  });
});
