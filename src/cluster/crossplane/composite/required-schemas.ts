// Required schemas: which kinds there are. crossplane/crossplane 2d040d2da internal/xfn/required_schemas.go
// (OpenAPISchemasFetcher): a kind that is not there has no schema, and that is no error.
//
// Not modelled: what a schema says; a discovery that is older than the definitions (it is forgotten when one changes).
// Sound here: no function of the simulated world reads further than whether there is one.

import type {SchemaSelector} from '../../../wire/response-message.ts';
import {coreKinds} from '../../api/core-kinds.ts';
import type {JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {discover} from '../../owner-gc/discovery.ts';
import {failed, type Result, success} from '../failure.ts';

const schema: JsonObject = {type: 'object'};

/** The schema of a kind, undefined where it is not served. */
export function* fetchSchema({apiVersion, kind}: SchemaSelector): Step<Result<JsonObject | undefined>> {
  const discovery = yield* discover(coreKinds);
  if (discovery === undefined) return failed('cannot get OpenAPI paths');
  return success(
    discovery.served.some((one) => one.apiVersion === apiVersion && one.kind === kind) ? schema : undefined,
  );
}
