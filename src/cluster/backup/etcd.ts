// A snapshot of etcd holds everything as it was: uids, owner references, status, managedFields, deletion marks. Restoring
// one takes the whole cluster back; the clouds stay where they are, and so does what external systems learnt.
// Modelled: every process loses its memory and caches, as an operator restarts them all, and revisions go on above those
// that were given out (etcdutl snapshot restore --bump-revision --mark-compacted), so that no reader takes an old
// resourceVersion for a new one. Uids are never given out twice either.
// Not modelled: a restore without restarts, whose watch caches no Kubernetes version supports.

import type {ServerState} from '../api/server.ts';
import {killProcess} from '../kernel/step.ts';
import type {Definition, World} from '../kernel/world.ts';

export type EtcdSnapshot = ServerState;

export function etcdSnapshot(world: World): EtcdSnapshot {
  return world.server;
}

/** The world after the restore; every process is down and is the caller's to start. */
export function etcdRestore(definition: Definition, world: World, snapshot: EtcdSnapshot): World {
  const {server} = world;
  const revision = Math.max(server.revision, snapshot.revision);
  const issued = Math.max(server.issued, snapshot.issued);
  const restored: World = {...world, server: {...snapshot, revision, issued}};
  return [...restored.processes.keys()].reduce(
    (next, name) => killProcess(definition, next, name, 'etcd was restored'),
    restored,
  );
}
