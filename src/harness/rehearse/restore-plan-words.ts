import type {PartKind} from './restore-parts.ts';

// The words of a restore plan: what its parts are called.

export function partText(part: PartKind): string {
  switch (part) {
    case 'composed-first':
      return 'composed resources are restored before XRs';
    case 'xrs-first':
      return 'XRs are restored before what they compose';
    case 'status-kept':
      return 'status is restored';
    case 'provider-asleep':
      return 'providers sleep until everything is restored';
    case 'crossplane-asleep':
      return 'Crossplane sleeps until everything is restored';
    case 'edits-later':
      return 'what was edited since the backup is applied after the restore';
    case 'managed-paused':
      return 'managed resources are restored paused';
    case 'xrs-paused':
      return 'XRs are restored paused';
    case 'function-tether':
      return 'function-tether is in every Composition before the restore';
  }
}

export function candidateText(parts: readonly PartKind[]): string {
  return parts.length === 0 ? 'the restore as it was asked for' : parts.map(partText).join('; ');
}
