import {describe, expect, it} from 'vitest';
import {TaggedRequest} from '../../../src/cluster/crossplane/composite/tagged-request.ts';
import {decodeRequest} from '../../../src/wire/request-decode.ts';
import type {RequestBody} from '../../../src/wire/request-encode.ts';

describe('a request as Crossplane sends it', () => {
  it('has the tag of what it says: the same for the same, another for anything else', () => {
    expect(request('small').tag).toBe(request('small').tag);
    expect(request('small').tag).not.toBe(request('large').tag);
    expect(decodeRequest(request('small').bytes).tag).toBe(request('small').tag);
  });

  it('keeps its tag when it is sent again with another body', () => {
    const first = request('small');
    const again = first.withBody(body('large'));
    const last = again.withBody(body('middle'));
    expect([again.tag, last.tag]).toEqual([first.tag, first.tag]);
    expect(again.bytes).not.toEqual(first.bytes);
    expect(decodeRequest(last.bytes).tag).toBe(first.tag);
  });

  it('keeps its bytes, whatever is sent after it, and has one array for one content', () => {
    const first = request('small').bytes;
    const copy = first.slice();
    for (let size = 0; size < 20; size++) request(`size ${size}`.repeat(size * 500)).bytes;
    expect(first).toEqual(copy);
    expect(request('small').bytes).toBe(first);
  });

  it('has its credentials behind all else, and tells them apart', () => {
    const {bytes, tag} = new TaggedRequest(body('small'), Uint8Array.of(0x3a, 0));
    expect([...bytes.subarray(-2)]).toEqual([0x3a, 0]);
    expect(tag).not.toBe(request('small').tag);
  });
});

function request(size: string): TaggedRequest {
  return new TaggedRequest(body(size), new Uint8Array(0));
}

function body(size: string): Omit<RequestBody, 'tag'> {
  const object = {apiVersion: 'example.org/v1', kind: 'XBucket', metadata: {name: 'logs'}, spec: {size}};
  return {observed: {composite: {object}, resources: new Map()}, desired: {resources: new Map()}};
}
