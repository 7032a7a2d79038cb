// The client of a process between its calls and the API server: what it refuses never becomes a request, and is answered
// in the same step. Processes that declare no client send whatever they are asked to.

import {kindAsked} from '../api/request.ts';
import {type ClientError, noMatch} from '../client/client-error.ts';
import {preflight} from '../client/go-client.ts';
import {type KindScope, mapped} from '../client/rest-mapper.ts';
import type {GroupVersionKind} from '../object.ts';
import type {CacheReply, Call} from './call.ts';
import {type Draft, setProcess} from './draft.ts';
import {processOf} from './informer.ts';
import {informerKey} from './process.ts';

/** The client's own answer, without a request; undefined if the call goes on. */
export function refusalIn(draft: Draft, name: string, call: Call): ClientError | CacheReply | undefined {
  if (call.to !== 'api' && call.to !== 'cache') return undefined;
  const {mapper, informers} = processOf(draft, name);
  if (mapper === undefined) return undefined;
  if (call.to === 'api') {
    const kind = kindAsked(call.request);
    const scope = scopeIn(draft, name, kind);
    return scope === undefined ? noMatch(kind) : preflight(call.request, scope);
  }
  const kind = call.read.verb === 'get' ? call.read.ref : call.read;
  // An informer that runs knows its resource; only a new one asks the mapper.
  if (informers.has(informerKey(kind)) || scopeIn(draft, name, kind) !== undefined) return undefined;
  return {ok: false, reason: 'NoMatch', message: noMatch(kind).message};
}

/** The scope of a kind as the process's REST mapper knows it; undefined where it has no match. */
export function scopeIn(draft: Draft, name: string, kind: GroupVersionKind): KindScope | undefined {
  const process = processOf(draft, name);
  if (process.mapper === undefined) throw new Error(`process ${name} has no client`);
  const {mapper, scope} = mapped(process.mapper, kind, draft.world.server);
  if (mapper !== process.mapper) setProcess(draft, name, {...process, mapper});
  return scope;
}
