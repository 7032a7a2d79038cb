// Required schemas: which kinds there are, and which fields they have. crossplane/crossplane 2d040d2da internal/xfn/required_schemas.go
// (OpenAPISchemasFetcher): a kind that is not there has no schema, and that is no error.
//
// Not modelled: what Kubernetes adds to the schema of a definition (apiVersion, kind and metadata); the schemas of built-in
// kinds; a discovery that is older than the definitions (it is forgotten when one changes).

import type {SchemaSelector} from '../../../wire/response-message.ts';
import {coreKinds} from '../../api/core-kinds.ts';
import type {KindDefinition} from '../../api/kinds.ts';
import type {JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {remembering} from '../../memo.ts';
import {discover} from '../../owner-gc/discovery.ts';
import {failed, type Result, success} from '../failure.ts';
import {crossplaneKinds} from '../kinds/crossplane-kinds.ts';
import type {Profile} from '../profile.ts';

const anything: JsonObject = {type: 'object'};

const installed = remembering((profile: Profile): readonly KindDefinition[] => [
  ...coreKinds,
  ...crossplaneKinds(profile),
]);

/** The schema of a kind, undefined where it is not served. */
export function* fetchSchema(
  {apiVersion, kind}: SchemaSelector,
  profile: Profile,
): Step<Result<JsonObject | undefined>> {
  const discovery = yield* discover(installed(profile));
  if (discovery === undefined) return failed('cannot get OpenAPI paths');
  const found = discovery.served.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  return success(found && (found.schema ?? anything));
}
