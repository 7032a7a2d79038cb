// A time to come. A state identifies it by its distance, not by its date: two worlds with the same thing due in ten seconds go on
// alike, whatever day it is (fingerprint.ts). Once the time has come, it no longer counts.

export class Moment {
  readonly atMs: number;

  constructor(atMs: number) {
    this.atMs = atMs;
  }
}
