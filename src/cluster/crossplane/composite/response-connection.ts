// The connection details in a response's desired state, which the plain decoder leaves out: those of the XR are
// published, those of composed resources only travel on to the next pipeline step.

import {type Cursor, cursorOf, type Slice, sliceBytes, wholeSlice} from '../../../wire/cursor.ts';
import type {ResourceBody, StateBody} from '../../../wire/request-encode.ts';
import type {ResponseBody} from '../../../wire/response-decode.ts';
import {readMapEntry} from '../../../wire/struct-cells.ts';
import type {ConnectionDetails} from './connection.ts';

const fieldDesired = 2;
const fieldComposite = 1;
const fieldResources = 2;
const fieldConnectionDetails = 2;

/** The decoded response with its connection details. The bytes are known to be sound. */
export function withConnectionDetails(body: ResponseBody, bytes: Uint8Array): ResponseBody {
  let desired: StateBody = body.desired;
  for (const state of slicesOf(wholeSlice(bytes), fieldDesired)) {
    for (const composite of slicesOf(state, fieldComposite)) {
      const details = detailsOf(composite);
      if (details.size > 0 && desired.composite !== undefined) {
        desired = {...desired, composite: {...desired.composite, connectionDetails: details}};
      }
    }
    desired = {...desired, resources: withDetails(desired.resources, state)};
  }
  return {...body, desired};
}

function withDetails(resources: ReadonlyMap<string, ResourceBody>, state: Slice): ReadonlyMap<string, ResourceBody> {
  const changed = new Map<string, ResourceBody>();
  for (const [name, resource] of entriesOf(state, fieldResources)) {
    const details = detailsOf(resource);
    const known = resources.get(name);
    if (details.size > 0 && known !== undefined) changed.set(name, {...known, connectionDetails: details});
  }
  return changed.size === 0 ? resources : new Map([...resources, ...changed]);
}

function detailsOf(resource: Slice): ConnectionDetails {
  const entries = entriesOf(resource, fieldConnectionDetails);
  return new Map([...entries].map(([name, value]) => [name, sliceBytes(value).slice()]));
}

function* entriesOf(slice: Slice, field: number): Generator<readonly [string, Slice]> {
  for (const cursor of fieldsOf(slice, field)) yield readMapEntry(cursor);
}

function* slicesOf(slice: Slice, field: number): Generator<Slice> {
  for (const cursor of fieldsOf(slice, field)) yield cursor.slice();
}

// Stops at every field of this number; the consumer reads it off the cursor.
function* fieldsOf(slice: Slice, field: number): Generator<Cursor> {
  const cursor = cursorOf(slice);
  while (!cursor.done) {
    const tag = cursor.tag();
    if (tag >>> 3 === field) yield cursor;
    else cursor.skip(tag);
  }
}
