// The kinds Provider and ProviderRevision, where a story has providers as packages. crossplane/crossplane 2d040d2da
// apis/pkg/v1/{provider,package,revision}_types.go, cluster/crds/pkg.crossplane.io_provider{s,revisions}.yaml: what the
// package manager here reads, with its defaults; their other fields are taken as they are.

import type {KindDefinition} from '../../api/kinds.ts';
import {oneVersionKind} from '../../api/one-version.ts';
import {anything, choice, record, resource, text, whole, withDefault} from '../../api/schema-pieces.ts';
import type {JsonObject} from '../../json.ts';
import type {Profile} from '../profile.ts';
import {conditionList} from '../xr-schema.ts';

export function providerKinds(profile: Profile): readonly KindDefinition[] {
  const conditions = conditionList(profile.observedGeneration === 'set');
  return [
    oneVersionKind('pkg.crossplane.io/v1', 'Provider', resource(provider, open({conditions, currentRevision: text}))),
    oneVersionKind('pkg.crossplane.io/v1', 'ProviderRevision', resource(revision, open({conditions}))),
  ];
}

const provider = open(
  {
    package: text,
    revisionActivationPolicy: choice(['Automatic', 'Manual'], 'Automatic'),
    revisionHistoryLimit: withDefault(whole, 1),
  },
  ['package'],
);

/** Not yet activated is the empty word, which upstream takes, too. */
const revision = open({desiredState: text, image: text, revision: whole}, ['desiredState', 'image', 'revision']);

function open(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return {...record(properties, required), ...anything};
}
