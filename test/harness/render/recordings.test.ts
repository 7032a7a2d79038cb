import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Ran, tether} from '../../cli/tether.ts';

const folder = new URL('../../recordings/render/', import.meta.url).pathname;
const recorded = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The flags each recording was made with. */
const renders: {readonly [recording: string]: readonly string[]} = {
  'out-create.yaml': ['composition.yaml'],
  'out-observed.yaml': ['composition.yaml', '-x', '-o', 'observed.yaml'],
  'out-nameless.yaml': ['composition.yaml', '-x', '-o', 'observed-nameless.yaml'],
  'out-dropB-unowned.yaml': ['composition-dropB.yaml', '-o', 'observed.yaml'],
  'out-dropB-owned.yaml': ['composition-dropB.yaml', '-o', 'observed-owned.yaml'],
  'out-dropB-adopt-unowned.yaml': ['composition-dropB-adopt.yaml', '-o', 'observed.yaml'],
  'out-dropB-adopt-owned.yaml': ['composition-dropB-adopt.yaml', '-o', 'observed-owned.yaml'],
};

function render([composition = '', ...flags]: readonly string[]): Ran {
  return tether(['render', 'xr.yaml', composition, 'functions.yaml', '-r', ...flags], folder);
}

describe('a render prints what the original printed, byte for byte', () => {
  test.each(Object.entries(renders))('%s', (recording, args) => {
    const {code, out} = render(args);
    expect(code).toBe(0);
    expect(out).toBe(recorded(recording));
  });

  test('and every recording is compared', () => {
    expect(Object.keys(renders).sort()).toEqual(readdirSync(folder).filter((name) => name.startsWith('out-')));
  });
});

describe('--deleted tells apart what the original prints alike', () => {
  const removed = (observed: string): string => {
    const {out} = render(['composition-dropB.yaml', '-o', observed, '--deleted']);
    expect(out.startsWith(recorded('out-dropB-owned.yaml'))).toBe(true);
    return out.slice(recorded('out-dropB-owned.yaml').length);
  };

  test('a resource the XR controls is deleted', () => {
    expect(removed('observed-owned.yaml')).toContain('fate: deleted\nkind: Removed\n');
  });

  test('one that nobody controls is left behind', () => {
    const text = removed('observed.yaml');
    expect(text).toContain('fate: orphaned\nkind: Removed\n');
    expect(text).toContain('resourceName: B\n');
  });

  test('nothing is said of what stays', () => {
    const {out} = render(['composition-dropB-adopt.yaml', '-o', 'observed.yaml', '--deleted']);
    expect(out).toBe(recorded('out-dropB-adopt-unowned.yaml'));
  });

  test('before v2.4, Crossplane deleted both', () => {
    const {out} = render([
      'composition-dropB.yaml',
      '-o',
      'observed.yaml',
      '--deleted',
      '--crossplane-version',
      'v2.3.4',
    ]);
    expect(out).toContain('fate: deleted\n');
  });
});
