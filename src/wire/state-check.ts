// Checks that a whole State can be read. Passing resources are never decoded, so a broken one would pass unseen; this is for
// answers that must arrive whatever the request holds.

import {cursorOf, expectWire, type Slice, wireBytes} from './cursor.ts';
import {decodeState} from './request-decode.ts';
import {resourceConnectionDetails} from './resource-message.ts';
import {newEntry, readEntry} from './struct-cells.ts';
import {decodeText} from './text.ts';
import {WireError} from './wire-error.ts';

/** True if every resource of the State in `slice`, and everything in it that the contract knows, can be read. */
export function isReadableState(slice: Slice): boolean {
  try {
    const state = decodeState(slice, 'desired');
    for (const {resource} of state.fields) {
      resource.json();
      for (const field of resource.others) readOther(field);
    }
    return true;
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

function readOther(field: Slice): void {
  const cursor = cursorOf(field);
  const tag = cursor.tag();
  if (tag >>> 3 !== resourceConnectionDetails) return;
  expectWire(tag, wireBytes, 'connection_details');
  const entry = newEntry();
  readEntry(cursor, entry);
  decodeText(entry.bytes, entry.keyStart, entry.keyEnd);
}
