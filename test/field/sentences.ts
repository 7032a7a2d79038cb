// A sentence for what each command prints of a configuration: without paths of this machine, and without names that a run draws.

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `folder` is where the configuration was laid out. */
export function initSentence({code, out, err}: Ran, folder: string): string {
  const lines = cleaned(out, folder).split('\n');
  if (code !== 0) return `refused: ${lastSentence(err, folder)}`;
  const open = /--function (\S+)=PLACE/g;
  const missing = [...out.matchAll(open)].map(([, name]) => name);
  if (missing.length > 0) return `written, not tried: ${missing.join(', ')} cannot run`;
  const removed = lines.find((line) => line.startsWith('removed:'));
  const edit = lines.find((line) => line.startsWith('edit:'));
  const restless = lines.filter((line) => /^(it does not come to rest|the story shows less)/.test(line));
  const failed = lines.filter((line) => line.startsWith('on Crossplane '));
  return [
    `written`,
    edit ?? 'no edit found',
    removed ?? 'no removal found',
    ...restless.map(named),
    ...failed.map(shortened),
  ].join('; ');
}

interface TestReport {
  readonly runs: readonly {
    readonly crossplane: string;
    readonly failures: readonly {readonly step: string; readonly message: string}[];
    readonly hollow?: readonly string[];
    readonly externals: {readonly creates: number; readonly deletes: number};
  }[];
}

export function testSentence({code, out, err}: Ran, folder: string): string {
  const report = parsed<TestReport>(out);
  if (report === undefined) return code === 0 ? 'nothing' : `refused: ${lastSentence(err, folder)}`;
  const runs = report.runs.map(({crossplane, failures, hollow = [], externals: {creates, deletes}}) => {
    const [first] = failures;
    if (first !== undefined) return `${crossplane} FAILED at "${first.step}": ${named(cleaned(first.message, folder))}`;
    const but = hollow.length === 0 ? '' : `, but ${named(cleaned(hollow.join('; '), folder))}`;
    return `${crossplane} ok (${creates} creates, ${deletes} deletes)${but}`;
  });
  return runs.join('; ');
}

export function auditSentence({code, out, err}: Ran, folder: string): string {
  const report = parsed<{readonly findings: readonly {readonly class: string}[]}>(out);
  if (report === undefined) return `refused (${code}): ${lastSentence(err, folder)}`;
  return countedByClass(report.findings);
}

interface Plan {
  readonly findings: readonly {readonly kind: string}[];
  readonly externals: {readonly before: number; readonly after: number};
  readonly stillUnready: readonly {readonly kind: string; readonly says: string}[];
}

/** With what was not ready before, which the plan leaves out of its findings. */
export function rehearseSentence({code, out, err}: Ran, folder: string): string {
  const plan = parsed<Plan>(out);
  if (plan === undefined) return `refused (${code}): ${lastSentence(err, folder)}`;
  const {findings, externals, stillUnready} = plan;
  const [first] = stillUnready;
  const unready =
    first === undefined
      ? []
      : [`${stillUnready.length} unready before, too: ${first.kind} ${shortened(cleaned(first.says, folder))}`];
  const counts = countedByClass(findings.map(({kind}) => ({class: kind})));
  return [counts, `${externals.before} in the cloud, then ${externals.after}`, ...unready].join('; ');
}

export function lintSentence({code, out, err}: Ran, folder: string): string {
  const report = parsed<{readonly findings: readonly {readonly class: string}[]; readonly called: readonly string[]}>(
    out,
  );
  if (report === undefined) return `refused (${code}): ${lastSentence(err, folder)}`;
  const called = report.called.length === 0 ? 'no pipeline called' : `${report.called.length} called`;
  return `${called}: ${countedByClass(report.findings)}`;
}

function countedByClass(findings: readonly {readonly class: string}[]): string {
  const groups = [...Map.groupBy(findings, (one) => one.class)];
  if (groups.length === 0) return 'nothing found';
  return groups
    .map(([name, all]) => `${all.length} ${name}`)
    .sort()
    .join(', ');
}

function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function lastSentence(text: string, folder: string): string {
  const lines = cleaned(text, folder)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('note: ') && !line.startsWith(' '));
  return shortened(named(lines.at(-1) ?? ''));
}

function cleaned(text: string, folder: string): string {
  return text.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
}

/** Names that Crossplane draws differ between two versions of this tool. */
function named(text: string): string {
  return text
    .replaceAll(
      /-[bcdfghjklmnpqrstvwxz2456789]{5}(?:-[bcdfghjklmnpqrstvwxz2456789]{5}|-[0-9a-f]{12})?(?=["', ;:)]|$)/g,
      '-*',
    )
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID');
}

function shortened(text: string): string {
  const plain = named(text);
  return plain.length > 300 ? `${plain.slice(0, 297)}...` : plain;
}
