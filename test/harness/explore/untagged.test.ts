import {expect, test} from 'vitest';
import {withoutTag} from '../../../src/harness/explore/remembering.ts';

// RunFunctionResponse{meta: {tag: "ab", ttl: {seconds: 60}}, desired: {...}}: field 1 is meta, in it 1 the tag, 2 the ttl.
const ttl = [0x12, 0x02, 0x08, 0x3c];
const desired = [0x12, 0x03, 0x0a, 0x01, 0x78];

test('a response loses the tag that repeats its request, and nothing else', () => {
  const tagged = Uint8Array.from([0x0a, 0x08, 0x0a, 0x02, 0x61, 0x62, ...ttl, ...desired]);
  expect([...withoutTag(tagged)]).toEqual([0x0a, 0x04, ...ttl, ...desired]);
});

test('a response without a tag stays byte for byte', () => {
  const bare = Uint8Array.from([0x0a, 0x04, ...ttl, ...desired, 0x18, 0x01]);
  expect([...withoutTag(bare)]).toEqual([...bare]);
  expect([...withoutTag(new Uint8Array())]).toEqual([]);
});
