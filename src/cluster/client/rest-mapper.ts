// The REST mapper of a Go client: the kinds that a process knows, and whether each has a namespace.
// kubernetes-sigs/controller-runtime v0.23.1 pkg/client/apiutil/restmapper.go.
//
// Modelled: a process knows all kinds that are served when it starts. For an unknown kind it looks up the group and version; if
// that does not help, the answer is NoMatch, at once. Known kinds stay known, so a kind that vanished still has a mapping: a
// request for it is sent and is a 404, an informer of it never syncs. A lookup of a served group and version replaces its known
// kinds; a lookup at a known version that is gone forgets the group. Not modelled: the tables of the clients beside the mapper, in
// which a kind of an earlier request outlives even that; the time of discovery requests. Sound here: both need two kinds of one
// group and version to matter.

import {isError, scopeOf} from '../api/scope.ts';
import {allOf, crdGroupKind, type ServerState} from '../api/store.ts';
import {memo} from '../memo.ts';
import {type GroupVersionKind, groupOf} from '../object.ts';

export type KindScope = 'Cluster' | 'Namespaced';

/** Scopes by apiVersion, then by kind. */
export type RestMapper = ReadonlyMap<string, ReadonlyMap<string, KindScope>>;

export interface Mapped {
  readonly mapper: RestMapper;
  /** Undefined: NoMatch. */
  readonly scope: KindScope | undefined;
}

/** The scope of a kind, and what the mapper knows after it was asked. */
export function mapped(mapper: RestMapper, kind: GroupVersionKind, server: ServerState): Mapped {
  const known = mapper.get(kind.apiVersion)?.get(kind.kind);
  if (known !== undefined) return {mapper, scope: known};
  const reloaded = reload(mapper, kind.apiVersion, server);
  return {mapper: reloaded, scope: reloaded.get(kind.apiVersion)?.get(kind.kind)};
}

function reload(mapper: RestMapper, apiVersion: string, server: ServerState): RestMapper {
  const served = discovered(server).get(apiVersion);
  if (served !== undefined) return served === mapper.get(apiVersion) ? mapper : new Map(mapper).set(apiVersion, served);
  if (!mapper.has(apiVersion)) return mapper;
  const group = groupOf(apiVersion);
  return new Map([...mapper].filter(([known]) => groupOf(known) !== group));
}

const last = memo<ServerState['kinds'], {readonly crds: object; readonly mapper: RestMapper}>();

/** Everything that is served now. */
export function discovered(server: ServerState): RestMapper {
  // The conditions of its definition also decide whether a kind is served.
  const crds = allOf(server, crdGroupKind);
  const before = last.get(server.kinds);
  if (before?.crds === crds) return before.mapper;
  const mapper = new Map<string, Map<string, KindScope>>();
  for (const {definition, versions} of server.kinds.values()) {
    for (const {apiVersion} of versions.values()) {
      if (isError(scopeOf(server, {apiVersion, kind: definition.kind}))) continue;
      const kinds = mapper.get(apiVersion) ?? new Map<string, KindScope>();
      mapper.set(apiVersion, kinds.set(definition.kind, definition.namespaced ? 'Namespaced' : 'Cluster'));
    }
  }
  last.set(server.kinds, {crds, mapper});
  return mapper;
}
