// Random stories until one differs, then the smallest that differs in the same way, then on with the next story: the
// same seed is the same search. A cause that was found once is not reported again.

import fc from 'fast-check';
import {type Difference, isKnown, signatureOf} from './difference.ts';

export interface Suite<Story> {
  readonly stories: fc.Arbitrary<Story>;
  /** undefined where both sides agree. */
  readonly compare: (story: Story) => Promise<Difference | undefined>;
  /** Signatures of what is recorded already and still differs. */
  readonly known: ReadonlySet<string>;
}

export interface Find<Story> {
  readonly story: Story;
  readonly difference: Difference;
  readonly seed: number;
}

export interface SearchOptions {
  readonly seed: number;
  readonly runs: number;
  /** The search ends after so many different finds. */
  readonly findsMax: number;
  /** How often a find may be told again while it is made smaller. */
  readonly shrinksMax: number;
}

export interface Searched<Story> {
  readonly runs: number;
  readonly finds: readonly Find<Story>[];
}

export async function search<Story>(
  suite: Suite<Story>,
  options: SearchOptions,
  onFind: (find: Find<Story>) => Promise<void> = async () => undefined,
): Promise<Searched<Story>> {
  const finds: Find<Story>[] = [];
  const known = new Set(suite.known);
  let runs = 0;
  for (let seed = options.seed; runs < options.runs && finds.length < options.findsMax; seed++) {
    const {find, told} = await untilDifferent(suite, {...options, seed, runs: options.runs - runs}, known);
    runs += told;
    if (find === undefined) break;
    finds.push(find);
    known.add(signatureOf(find.difference));
    await onFind(find);
  }
  return {runs, finds};
}

async function untilDifferent<Story>(
  {stories, compare}: Suite<Story>,
  {seed, runs, shrinksMax}: SearchOptions,
  known: ReadonlySet<string>,
): Promise<{readonly told: number; readonly find: Find<Story> | undefined}> {
  let told = 0;
  let smallest: Find<Story> | undefined;
  let shrinks = 0;
  const agrees = async (story: Story): Promise<boolean> => {
    if (smallest === undefined) told++;
    else if (++shrinks > shrinksMax) return true;
    const difference = await compare(story);
    if (difference === undefined) return true;
    if (smallest === undefined && isKnown(difference, known)) return true;
    // A smaller story that differs for another reason is a find of its own, for later.
    if (smallest !== undefined && signatureOf(difference) !== signatureOf(smallest.difference)) return true;
    smallest = {story, difference, seed};
    return false;
  };
  const {failed, errorInstance} = await fc.check(fc.asyncProperty(stories, agrees), {seed, numRuns: runs});
  // Not a find: one of the two sides could not be asked.
  if (failed && smallest === undefined) throw errorInstance;
  return {told, find: smallest};
}
