// Memory that calls use one after the other. A call fills some hundred kilobytes with places of its request and bytes of its
// response, and needs none of it afterwards; memory made anew for each would be cleared and collected for each.
//
// A caller may use the response, and views of the request, only until the next call with the same memory.

// Memory beyond this, of one call with an enormous request, is not kept.
const keptBytesMax = 8 * 1024 * 1024;

export class CallMemory {
  private bytes: Uint8Array = new Uint8Array(0);
  private places: Int32Array = new Int32Array(0);

  /** Bytes to write into: at least `length`, and whatever was left in them. */
  bytesFor(length: number): Uint8Array {
    if (this.bytes.length < length) this.keepBytes(new Uint8Array(length));
    return this.bytes.length < length ? new Uint8Array(length) : this.bytes;
  }

  /** Numbers to write into, however many there are. */
  get placesKept(): Int32Array {
    return this.places;
  }

  /** Has later calls write into `bytes`, which this call does already. */
  keepBytes(bytes: Uint8Array): void {
    if (bytes.byteLength <= keptBytesMax) this.bytes = bytes;
  }

  /** Has later calls write into `places`, which this call does already. */
  keepPlaces(places: Int32Array): void {
    if (places.byteLength <= keptBytesMax) this.places = places;
  }
}
