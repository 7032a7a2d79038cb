import {groupKindOf} from '../../../cluster/object.ts';
import {counted} from '../listed.ts';
import type {Source, Tally} from './source.ts';

/** Counts of objects read, left aside and not understood: a line each. */
export function sourceLines({origin, objects, notes}: Source): readonly string[] {
  const kinds = new Set(objects.map(groupKindOf)).size;
  const what = {
    manifests: 'manifests',
    'velero-backup': 'Velero backup',
    'up-export': 'export of up',
    cluster: 'cluster',
  }[origin.kind];
  const size = notes.bytes < 1_000_000 ? `${Math.ceil(notes.bytes / 1000)} kB` : `${Math.round(notes.bytes / 1e6)} MB`;
  const amount = `${counted(objects.length, 'object')} of ${counted(kinds, 'kind')}`;
  return [
    `read ${what} "${origin.name}": ${amount} (${counted(notes.files, origin.kind === 'cluster' ? 'answer' : 'file')}, ${size})`,
    ...tallyLine('left aside', notes.skipped),
    ...tallyLine('not understood', notes.notUnderstood),
  ];
}

function tallyLine(what: string, tallies: readonly Tally[]): readonly string[] {
  if (tallies.length === 0) return [];
  const parts = tallies.map(({why, count, first}) => `${count} × ${why} (${count === 1 ? '' : 'first '}${first})`);
  return [`${what}: ${parts.join('; ')}`];
}
