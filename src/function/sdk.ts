// The package `function-tether/sdk`: function-tether as a FunctionHandler of the TypeScript SDK, alone or after another
// handler. The SDK is an optional peer: `tether serve` and the image work without it.
//
// Two handlers in one server are two steps of a pipeline to each other, as in Crossplane's composition_functions.go
// (crossplane 2d040d2da): the second gets the desired state and the context that the first returned; results and
// conditions of both are returned; a FATAL result of the first ends the call; the shortest TTL counts.

import {
  type FunctionHandler,
  type Requirements,
  RunFunctionRequest,
  RunFunctionResponse,
  Severity,
} from '@crossplane-org/function-sdk-typescript';
import {type Options, runFunction} from './library.ts';

/** function-tether as a handler: `serve(new FunctionRunner(tether()))` answers as `tether serve` does. */
export function tether(options: Options = {}): FunctionHandler {
  return {RunFunction: async (request) => run(request, options)};
}

/** Options of a function that has function-tether after it. */
export interface AfterOptions extends Options {
  /**
   * The input of function-tether, as in docs/reference/input.md with apiVersion and kind. The step's own input goes to the other
   * handler. Without it function-tether gets an empty input.
   */
  readonly input?: {readonly [field: string]: unknown};
}

/**
 * A handler that runs `handler`, and function-tether on the desired state that it returns. The handler has to return every
 * resource that it wants, as in any pipeline. A rejection of the handler is passed on.
 */
export function withTether(handler: FunctionHandler, {input, ...options}: AfterOptions = {}): FunctionHandler {
  return {
    RunFunction: async (request, logger) => {
      const first = await handler.RunFunction(request, logger);
      if (first.results.some(({severity}) => severity === Severity.SEVERITY_FATAL)) return first;
      const {input: _, ...rest} = request;
      const second = run(
        {...rest, desired: first.desired, context: first.context, ...(input === undefined ? {} : {input})},
        options,
      );
      return both(first, second);
    },
  };
}

function run(request: RunFunctionRequest, options: Options): RunFunctionResponse {
  return RunFunctionResponse.decode(runFunction(RunFunctionRequest.encode(request).finish(), options));
}

function both(first: RunFunctionResponse, second: RunFunctionResponse): RunFunctionResponse {
  const {meta = second.meta} = first;
  return {
    ...first,
    ...second,
    meta: meta === undefined ? undefined : {...meta, ttl: shorter(first.meta?.ttl, second.meta?.ttl)},
    results: [...first.results, ...second.results],
    conditions: [...first.conditions, ...second.conditions],
    requirements: union(first.requirements, second.requirements),
    output: first.output,
  };
}

type Ttl = NonNullable<RunFunctionResponse['meta']>['ttl'];

// None is no wish, which is the longest.
function shorter(first: Ttl, second: Ttl): Ttl {
  if (isNone(first) || isNone(second)) return isNone(first) ? second : first;
  const isFirst = first.seconds === second.seconds ? first.nanos < second.nanos : first.seconds < second.seconds;
  return isFirst ? first : second;
}

function isNone(ttl: Ttl): ttl is undefined {
  return ttl === undefined || (ttl.seconds === 0 && ttl.nanos === 0);
}

function union(first: Requirements | undefined, second: Requirements | undefined): Requirements | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return {
    extraResources: {...first.extraResources, ...second.extraResources},
    resources: {...first.resources, ...second.resources},
    schemas: {...first.schemas, ...second.schemas},
  };
}
