// Turns: at most so many go on at once, the others wait, in order. If none ends for a while, because those that go on wait for
// something themselves, one more goes on: nothing waits for ever.

export class Turns {
  private readonly atOnce: number;
  private readonly patienceMs: number;
  private readonly waiting = new Set<() => void>();
  private running = 0;
  private limit: number;
  private standstill: NodeJS.Timeout | undefined;

  constructor(atOnce: number, patienceMs: number) {
    this.atOnce = atOnce;
    this.patienceMs = patienceMs;
    this.limit = atOnce;
  }

  /** Calls `begin` when its turn comes, maybe at once. Returns how to end the turn, or the wait for it; to be called once. */
  take(begin: () => void): () => void {
    this.waiting.add(begin);
    this.proceed();
    return () => {
      if (!this.waiting.delete(begin)) this.running--;
      clearTimeout(this.standstill);
      this.standstill = undefined;
      this.proceed();
    };
  }

  private proceed(): void {
    for (const begin of this.waiting) {
      if (this.running >= this.limit) break;
      this.waiting.delete(begin);
      this.running++;
      begin();
    }
    if (this.waiting.size === 0) this.limit = this.atOnce;
    else this.standstill ??= setTimeout(() => this.goOn(), this.patienceMs).unref();
  }

  private goOn(): void {
    this.standstill = undefined;
    this.limit = this.running + 1;
    this.proceed();
  }
}
