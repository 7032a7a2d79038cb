// What an audit finds and what it costs: faults of every class planted among sound units and decoys in a dump of 10,000 objects, read
// from a file as `tether audit` reads it. Prints precision, recall, time and memory; exit code 1 where a fault is missed or made up.
// npm run bench:audit [-- OBJECTS [FAULTS-OF-EACH-CLASS [SEED]]]. The dump is planted in this process, so the peak memory is an upper
// bound of what the audit by itself takes.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {audit} from '../../src/harness/audit/audit.ts';
import {classNames} from '../../src/harness/audit/class-words.ts';
import {readSource} from '../../src/harness/input/source/read-source.ts';
import {planted} from '../harness/audit/plant.ts';

const [size, ofEachClass, seed] = [10_000, 3, 1].map((unset, at) => Number(process.argv[2 + at] ?? unset)) as [
  number,
  number,
  number,
];
const {objects, expected} = planted(seed, size, ofEachClass);
const folder = mkdtempSync(join(tmpdir(), 'tether-audit-'));
const file = join(folder, 'state.json');
writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items: objects}));

const begun = performance.now();
const before = process.cpuUsage();
const {findings} = audit(await readSource(file));
const {user, system} = process.cpuUsage(before);
const milliseconds = performance.now() - begun;
rmSync(folder, {recursive: true});

const found = findings.map(({fault, object}) => `${fault.class} ${object.kind} ${object.name}`);
const missed = without(expected, found);
const madeUp = without(found, expected);
const right = found.length - madeUp.length;
for (const one of missed) process.stdout.write(`missed: ${one}\n`);
for (const one of madeUp) process.stdout.write(`no fault: ${one}\n`);
process.stdout.write(
  `${objects.length} objects, ${classNames.length} classes, seed ${seed}: ${right} of ${expected.length} planted faults found, ` +
    `${madeUp.length} others, precision ${share(right, found.length)}, recall ${share(right, expected.length)}; ` +
    `${milliseconds.toFixed(0)} ms, ${((user + system) / 1e3).toFixed(0)} ms of processor time, ` +
    `peak ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB\n`,
);
if (missed.length + madeUp.length > 0) process.exitCode = 1;

/** What is left of a list after each one of another took its like away. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...list];
  for (const one of others) {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'of nothing' : String(part / whole);
}
