// The part of nspell that the check of spelling uses: nspell has no types of its own.

declare module 'nspell' {
  interface Checker {
    correct(word: string): boolean;
    personal(words: string): Checker;
  }

  const nspell: (dictionary: {readonly aff: Uint8Array; readonly dic: Uint8Array}) => Checker;
  export = nspell;
}
