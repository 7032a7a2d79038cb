// The bound on what a search may remember. Only the tables are counted, because only their size is known; how many
// states of the model are held at a time is bounded by count (`heldStates`), and what is dropped is rebuilt.

export class Memory {
  readonly limitBytes: number;
  usedBytes = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** Takes the bytes and returns true, or takes nothing and returns false. */
  reserve(bytes: number): boolean {
    if (this.usedBytes + bytes > this.limitBytes) return false;
    this.usedBytes += bytes;
    return true;
  }
}
