// Shared by the models of function-sequencer and function-deletion-protection: names and places of Usages. Source:
// crossplane-contrib/function-sequencer c283338 name.go, fn.go GenerateV1Usage, GenerateV2Usage; the same files of
// crossplane-contrib/function-deletion-protection 966a356.

import {sha256} from '../../hash/sha256.ts';
import type {JsonObject} from '../../wire/json.ts';
import type {ResourceMessage} from '../../wire/resource-message.ts';

export interface PeerUsage {
  readonly of: ResourceMessage;
  /** The rest of the spec. */
  readonly spec: JsonObject;
  /** The beginning of the name, in any case of letters, and its end. */
  readonly name: string;
  readonly suffix: string;
  /** The Usage of Crossplane 1. */
  readonly isLegacy: boolean;
}

export function peerUsage({of, spec, name, suffix, isLegacy}: PeerUsage): JsonObject {
  const metadata = {name: shortened(name.toLowerCase(), suffix)};
  return {
    apiVersion: isLegacy ? 'apiextensions.crossplane.io/v1beta1' : 'protection.crossplane.io/v1beta1',
    kind: isLegacy || of.namespace !== '' ? 'Usage' : 'ClusterUsage',
    metadata: isLegacy || of.namespace === '' ? metadata : {...metadata, namespace: of.namespace},
    spec: {of: endOf(of), ...spec},
  };
}

export function endOf({apiVersion, kind, name}: ResourceMessage): JsonObject {
  return {apiVersion, kind, resourceRef: {name}};
}

/** At most 63 characters: as much of the name as fits, six digits of its hash, and the suffix. */
function shortened(name: string, suffix: string): string {
  const end = `${sha256(name).slice(0, 6)}-${suffix}`;
  if (name.length + 1 + end.length <= 63) return `${name}-${end}`;
  const front = name.slice(0, 62 - end.length);
  return front.endsWith('-') ? `${front}${end}` : `${front}-${end}`;
}
