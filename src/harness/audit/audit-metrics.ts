// The metrics of a repeated audit for Prometheus: the number of findings of each class by the kind of their XR, and their age.
// Kinds and classes only, never names: the number of series is bounded.

import {groupKindOf} from '../../cluster/object.ts';
import type {Audit} from './audit.ts';
import {classes, classNames} from './class-words.ts';
import type {Finding} from './finding.ts';
import {type Inventory, inventoryOf} from './inventory.ts';

export class AuditMetrics {
  readonly #runs = {ok: 0, failed: 0};
  #last: {readonly findings: ReadonlyMap<string, number>; readonly lines: readonly string[]} | undefined;

  /** `endMs`: milliseconds since 1970. */
  audited(audit: Audit, {endMs, tookMs}: {readonly endMs: number; readonly tookMs: number}): void {
    this.#runs.ok++;
    const {notUnderstood: notRead} = audit.source.notes;
    this.#last = {
      findings: countsOf(audit),
      lines: [
        ...gauge('tether_audit_objects', 'Objects that the last audit read.', audit.source.objects.length),
        ...gauge('tether_audit_not_judged', 'Objects that the last audit could not judge.', sumOf(audit.notJudged)),
        ...gauge('tether_audit_not_read', 'Kinds and objects that the last audit could not read.', sumOf(notRead)),
        ...gauge('tether_audit_duration_seconds', 'How long the last audit took.', tookMs / 1000),
        ...gauge('tether_audit_last_success_timestamp_seconds', 'When the last audit ended.', endMs / 1000),
      ],
    };
  }

  /** The findings stay as they were: their age shows in tether_audit_last_success_timestamp_seconds. */
  failed(): void {
    this.#runs.failed++;
  }

  /** All of it, as a scrape answers. */
  render(): string {
    const {findings = new Map<string, number>(), lines = []} = this.#last ?? {};
    return [
      '# HELP tether_audit_findings Findings of the last audit.',
      '# TYPE tether_audit_findings gauge',
      ...[...findings].sort().map(([labels, value]) => `tether_audit_findings{${labels}} ${value}`),
      ...lines,
      '# HELP tether_audit_runs_total Audits by how they ended.',
      '# TYPE tether_audit_runs_total counter',
      ...Object.entries(this.#runs).map(([outcome, value]) => `tether_audit_runs_total{outcome="${outcome}"} ${value}`),
      '',
    ].join('\n');
  }
}

/** Every class has a sample, so that an alert can distinguish none from unknown. */
function countsOf({findings, source}: Audit): ReadonlyMap<string, number> {
  const inventory = inventoryOf(source);
  const counts = new Map<string, number>();
  for (const name of classNames) counts.set(labelsOf(name, ''), 0);
  for (const finding of findings) {
    const labels = labelsOf(finding.fault.class, xrKindOf(finding, inventory));
    counts.set(labels, (counts.get(labels) ?? 0) + 1);
  }
  return counts;
}

function labelsOf(name: Finding['fault']['class'], kind: string): string {
  return `class="${name}",severity="${classes[name].severity}",xr_kind="${kind.replaceAll(/["\\\n]/g, '')}"`;
}

/** `Kind.group` of the XR that it is about, or that composes the object; '' if there is none. */
function xrKindOf({fault, object: ref}: Finding, {get, listing, ownerOf, xrOf}: Inventory): string {
  switch (fault.class) {
    case 'doubled':
    case 'unlisted':
    case 'release':
    case 'unnamed':
    case 'unowned':
      return groupKindOf(fault.xr);
    default: {
      const object = get(ref);
      if (object === undefined) return '';
      const owner = ownerOf(object);
      const xr = [object, ...(owner === undefined ? [] : [owner]), ...listing(object)].find((one) => xrOf.has(one));
      return xr === undefined ? '' : groupKindOf(xr);
    }
  }
}

function sumOf(all: readonly {readonly count: number}[]): number {
  return all.reduce((sum, {count}) => sum + count, 0);
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}
