/** The simulated control plane has come to a thing that it cannot do as the real one does: one sentence. Nothing after it would be true. */
export class NotModelled extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'NotModelled';
  }
}
