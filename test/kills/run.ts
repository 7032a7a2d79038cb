import {killRun, wholeRunMs} from './kill-runs.ts';

// `npm run kills`: 200 runs of the tool, or KILLS, each ended at another moment by SIGINT or SIGKILL.

const count = Number(process.env['KILLS'] ?? 200);
const wholeMs = await wholeRunMs();
const ends = new Map<string, number>();
let bad = 0;
for (let index = 0; index < count; index++) {
  const {signal, afterMs, ended, processes, files} = await killRun(
    index % 2 === 0 ? 'SIGINT' : 'SIGKILL',
    Math.random() * wholeMs * 1.1,
  );
  ends.set(ended, (ends.get(ended) ?? 0) + 1);
  if (processes.length + files.length === 0) continue;
  bad++;
  console.log(`${signal} after ${Math.round(afterMs)} ms left ${[...processes, ...files].join('; ')}`);
}
console.log([...ends].map(([ended, times]) => `${times} ended by ${ended}`).join(', '));
console.log(`${count - bad} left nothing, ${bad} left something`);
process.exitCode = bad === 0 && count > 0 ? 0 : 1;
