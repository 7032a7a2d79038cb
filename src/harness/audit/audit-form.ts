// The shape of the JSON report of an audit: audit-reports.ts writes it, a baseline is read by it, and
// docs/audit-report.schema.json is made of it.

import {count, list, mapOf, named, oneOf, type Read, text} from '../input/form.ts';
import {map, may, must} from '../input/map-form.ts';
import {severities} from '../report/class-findings.ts';
import {classNames} from './class-words.ts';

const reference = named(
  'reference',
  map({apiVersion: must(text), kind: must(text), namespace: may(text), name: must(text)}),
  'An object.',
);

const finding = named(
  'finding',
  map({
    id: must(text, 'The same for the same fault of the same object in every audit.'),
    class: must(oneOf(...classNames)),
    severity: must(oneOf(...severities)),
    object: must(reference),
    what: must(text, 'What is wrong, in a sentence that names objects and external resources.'),
    why: must(text, 'Why it matters.'),
    remedy: must(text, 'What to do.'),
    references: must(list(text), 'Where upstream and these docs say more.'),
    baseline: must(oneOf('new', 'unchanged'), 'Whether the baseline has it, too; all are new without one.'),
  }),
  'Something that is wrong with an object.',
);

const tally = map({what: must(text), count: must(count)});

const source = map({
  kind: must(oneOf('manifests', 'velero-backup', 'up-export', 'cluster')),
  name: must(text, 'The file or folder as it was named, or the context of the kubeconfig.'),
  objects: must(count),
  kinds: must(count, 'Kinds that have an object.'),
  asOf: may(text, 'The newest moment that the objects name. Absent where they name none.'),
  skipped: must(list(tally), 'Read, and of no use.'),
  notUnderstood: must(list(tally), 'What could be an object and cannot be read as one.'),
});

export const auditReport = map({
  version: must(count, 'Raised when a field changes its meaning or goes. New fields may come.'),
  source: must(source, 'What was read.'),
  counts: must(mapOf(count), 'Findings by class; every class is there.'),
  findings: must(list(finding)),
  gone: must(list(text), 'Ids that the baseline has and that are not found any more.'),
  notJudged: must(list(tally), 'What the source has too little of to be judged.'),
});

export type AuditReport = Read<typeof auditReport>;
