// A function is called again with what it required until its requirements settle.
// crossplane/crossplane 2d040d2da internal/xfn/required_resources.go (FetchingFunctionRunner); v1.19.1
// internal/controller/apiextensions/composite/extra_resources.go.

import type {SchemaSelector} from '../../../wire/resource-message.ts';
import type {ResponseBody} from '../../../wire/response-decode.ts';
import {coreKinds} from '../../api/core-kinds.ts';
import type {KindDefinition} from '../../api/kinds.ts';
import {equal, type JsonObject} from '../../json.ts';
import type {Step} from '../../kernel/call.ts';
import {remembering} from '../../memo.ts';
import {discover} from '../../owner-gc/discovery.ts';
import {failed, type Result, success, wrapped} from '../failure.ts';
import {crossplaneKinds} from '../kinds/crossplane-kinds.ts';
import type {Profile} from '../profile.ts';
import {runFunction} from './function-call.ts';
import {fetchRequired} from './required-resources.ts';
import type {TaggedRequest} from './tagged-request.ts';

/**
 * Runs one pipeline step: one to six calls. `first` may carry resources the step is known to require. Its tag stays when
 * more is added.
 */
export function* callUntilSettled(name: string, first: TaggedRequest, profile: Profile): Step<Result<ResponseBody>> {
  const given = first.body.requiredResources ?? new Map();
  let sent = first;
  let before = '';
  for (let call = 0; call < profile.callsPerStep; call++) {
    const called = yield* runFunction(name, sent, profile);
    if (!called.ok) return called;
    const body = called.value;
    if (body.results.some(({severity}) => severity === 'fatal')) return success(body);
    const wanted = requirementsText(body);
    if (wanted === before) return success(body);
    const answers = yield* answer(body, given, profile);
    if (!answers.ok) return answers;
    // The first call already had everything that the function requires, so a second one would have the same answer.
    if (call === 0 && profile.seededRequirements && saysTheSame(first.body, answers.value)) return success(body);
    before = wanted;
    sent = first.withBody({...sent.body, ...answers.value, context: body.context ?? {}});
  }
  return failed("requirements didn't stabilize after the maximum number of iterations (5)");
}

type Answers = Required<Pick<TaggedRequest['body'], 'requiredResources' | 'extraResources' | 'requiredSchemas'>>;

function* answer(
  {requirements, extraRequirements, schemaRequirements}: ResponseBody,
  given: ReadonlyMap<string, readonly JsonObject[]>,
  profile: Profile,
): Step<Result<Answers>> {
  const extraResources = new Map<string, readonly JsonObject[]>();
  const requiredResources = new Map(given);
  const requiredSchemas = new Map<string, JsonObject | undefined>();
  const wanted = [...extraRequirements].map((one) => [extraResources, one] as const);
  if (profile.requirements !== 'extra') {
    wanted.push(...[...requirements].map((one) => [requiredResources, one] as const));
  }
  for (const [answers, [name, selector]] of wanted) {
    const found = yield* fetchRequired(selector, profile);
    if (!found.ok) return wrapped(`fetching resources for ${name}`, found);
    answers.set(name, found.value);
  }
  for (const [name, selector] of profile.capabilities ? schemaRequirements : []) {
    const found = yield* fetchSchema(selector, profile);
    if (!found.ok) return wrapped(`fetching schema for ${name}`, found);
    requiredSchemas.set(name, found.value);
  }
  return success({extraResources, requiredResources, requiredSchemas});
}

function requirementsText({requirements, extraRequirements, schemaRequirements}: ResponseBody): string {
  const all = [requirements, extraRequirements, schemaRequirements];
  if (all.every(({size}) => size === 0)) return '';
  return JSON.stringify(all.map((each) => [...each].sort()));
}

function saysTheSame(request: TaggedRequest['body'], answers: Answers): boolean {
  return (
    sameAnswers(request.requiredResources, answers.requiredResources) &&
    sameAnswers(request.extraResources, answers.extraResources) &&
    answers.requiredSchemas.size === (request.requiredSchemas?.size ?? 0)
  );
}

function sameAnswers(
  left: ReadonlyMap<string, readonly JsonObject[]> = new Map(),
  right: ReadonlyMap<string, readonly JsonObject[]> = new Map(),
): boolean {
  return (
    left.size === right.size && [...left].every(([name, items]) => right.has(name) && equal(items, right.get(name)))
  );
}

// Required schemas: which kinds there are, and which fields they have. crossplane/crossplane 2d040d2da internal/xfn/required_schemas.go
// (OpenAPISchemasFetcher): a kind that is not there has no schema, and that is no error.
//
// Not modelled: what Kubernetes adds to the schema of a definition (apiVersion, kind and metadata); the schemas of built-in
// kinds; a discovery that is older than the definitions (it is forgotten when one changes).

const anything: JsonObject = {type: 'object'};

const installed = remembering((profile: Profile): readonly KindDefinition[] => [
  ...coreKinds,
  ...crossplaneKinds(profile),
]);

/** The schema of a kind, undefined where it is not served. */
function* fetchSchema({apiVersion, kind}: SchemaSelector, profile: Profile): Step<Result<JsonObject | undefined>> {
  const discovery = yield* discover(installed(profile));
  if (discovery === undefined) return failed('cannot get OpenAPI paths');
  const found = discovery.served.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  return success(found && (found.schema ?? anything));
}
