// Puts the parts of an exploration together: `node .github/merge-shards.mjs COUNT REPORT...`, each REPORT written by
// `tether explore FILE --shard I/COUNT --json REPORT`. Exit codes as those of tether explore: 0 all properties hold, 1 not
// everything was seen, 2 bad input, 3 a property fails.
import {readFileSync} from 'node:fs';

const [count, ...files] = process.argv.slice(2);
if (files.length !== Number(count)) {
  console.error(`expected ${count} reports, one for each part, got ${files.length}`);
  process.exit(2);
}
const explorations = Map.groupBy(
  files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8'))),
  ({scenario, crossplane}) => `${scenario} on Crossplane ${crossplane}`,
);
process.exit(Math.max(...[...explorations].map(([name, parts]) => judge(name, parts))));

function judge(name, parts) {
  const states = parts.reduce((sum, part) => sum + part.states, 0);
  const failing = [...new Set(parts.flatMap(({properties}) => properties.filter(fails).map((one) => one.name)))];
  if (failing.length > 0) return say(name, 3, `fails: ${failing.join('; ')}`);
  const reasons = [...new Set(parts.flatMap(({outcome}) => outcome.reasons ?? []))].filter((one) => one !== 'shard');
  if (reasons.length > 0 || parts.length !== Number(count)) {
    return say(name, 1, `unfinished: ${reasons.join(', ') || `${parts.length} of ${count} parts`}`);
  }
  const witnessed = new Set(parts.flatMap(({properties}) => properties.filter(holds).map((one) => one.name)));
  const never = parts[0].properties.filter((one) => one.expectation === 'sometimes' && !witnessed.has(one.name));
  if (never.length > 0) return say(name, 3, `never: ${never.map((one) => one.name).join('; ')}`);
  return say(
    name,
    0,
    `all properties hold; ${states} states in ${count} parts, those of all parts counted ${count} times`,
  );
}

function fails({verdict}) {
  return verdict === 'fails';
}

function holds({verdict}) {
  return verdict === 'holds';
}

function say(name, code, text) {
  console.log(`${name}: ${text}`);
  return code;
}
