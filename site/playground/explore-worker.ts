import {look, type Said, type Wanted} from './look.ts';

// The search beside the page: one question, then what is said of it.

addEventListener('message', ({data}: MessageEvent<Wanted>) => {
  try {
    postMessage(look(data, postMessage));
  } catch (error) {
    postMessage({kind: 'refused', sentence: (error as Error).message} satisfies Said);
  }
});
