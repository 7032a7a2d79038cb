// A time to come. What is due at some time is told apart by how far away that is, not by the date: two worlds in which the
// same is due in ten seconds go on alike, whatever day it is (fingerprint.ts). Once it has come nothing is left of it.

export class Moment {
  readonly atMs: number;

  constructor(atMs: number) {
    this.atMs = atMs;
  }
}
