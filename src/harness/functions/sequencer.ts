// A stand-in for function-sequencer, so that the explorer can be run against it. It runs only if a file names it, and the output
// notes it. Source: crossplane-contrib/function-sequencer c283338 fn.go RunFunction, generateObservedUsages, isUsage;
// test/recordings/sequencer holds what the program itself answered. Not modelled: conditions that the type checker of cel-go
// refuses before it evaluates them, and connection details in one.

import {RE2JS} from '@bufbuild/re2';
import type {FunctionReply} from '../../cluster/kernel/call.ts';
import {isJsonObject, type Json, type JsonObject} from '../../wire/json.ts';
import {decodeRequest, type RequestMessage, type StateMessage} from '../../wire/request-decode.ts';
import {type ResourceMessage, type Result, readyNumbers} from '../../wire/resource-message.ts';
import type {ResourceChange} from '../../wire/response-encode.ts';
import {decodeStruct} from '../../wire/struct-cells.ts';
import {type CelBindings, celCondition, celRecord, celValue} from '../input/cel-text.ts';
import {durationOf} from '../input/duration.ts';
import {answerWith} from './passing.ts';
import {endOf, peerUsage} from './peer-usages.ts';

export function sequencer(request: Uint8Array): FunctionReply {
  const message = decodeRequest(request);
  const input = message.input === undefined ? {} : decodeStruct(message.input);
  const run = new Run(message, input);
  const problem = run.all();
  const {ttlSeconds, broken} = run;
  if (broken !== undefined) return {ok: false, message: broken};
  // A fatal result passes on what is desired as it came.
  if (problem !== undefined) {
    return answerWith(message, {ttlSeconds, results: [...run.results, {severity: 'fatal', message: problem}]});
  }
  const {resources, results, isReset} = run;
  return answerWith(message, {ttlSeconds, resources, results, ...(isReset ? {compositeReady: 'false' as const} : {})});
}

interface Rule {
  readonly sequence: readonly string[];
  readonly condition: string;
  readonly createOnly: boolean;
  readonly deleteOnly: boolean;
}

/** One call: rules come one after the other, and each sees what those before it have left of the desired resources. */
class Run {
  readonly results: Result[] = [];
  isReset = false;
  /** Why it answers nothing. */
  broken: string | undefined;
  ttlSeconds = 60;
  readonly #usages = new Map<string, ResourceChange>();
  readonly #dropped = new Set<string>();
  readonly #desired: Map<string, ResourceMessage>;
  readonly #message: RequestMessage;
  readonly #input: JsonObject;

  constructor(message: RequestMessage, input: JsonObject) {
    this.#message = message;
    this.#input = input;
    this.#desired = new Map(message.desired.resources);
  }

  get resources(): ReadonlyMap<string, ResourceChange> {
    const dropped = [...this.#dropped].map((name): [string, ResourceChange] => [name, {kind: 'drop'}]);
    return new Map([...dropped, ...this.#usages]);
  }

  /** Why it ends with a fatal result, if it does. */
  all(): string | undefined {
    const ttl = String(this.#input['cacheTTL'] ?? '');
    const ttlMs = ttl === '' ? this.ttlSeconds * 1000 : durationOf(ttl);
    if (ttlMs === undefined) return `cannot set cacheTTL: time: invalid duration ${JSON.stringify(ttl)}`;
    this.ttlSeconds = Math.floor(ttlMs / 1000);
    for (const rule of rulesOf(this.#input)) {
      const problem = this.#rule(rule);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #rule(rule: Rule): string | undefined {
    const {sequence, condition, createOnly, deleteOnly} = rule;
    if (deleteOnly && createOnly) {
      return `rule for sequence ${listText(sequence)} cannot have both deleteOnly and createOnly set to true`;
    }
    let isSkipped = false;
    if (condition !== '') {
      const met = this.#isMet(condition);
      if (typeof met !== 'boolean') {
        return `cannot evaluate condition ${JSON.stringify(condition)} for sequence ${listText(sequence)}: ${met.problem}`;
      }
      isSkipped = !met;
      if (isSkipped) {
        const skipping = `Skipping sequence ${listText(sequence)}: condition ${JSON.stringify(condition)} evaluated to false`;
        this.results.push({severity: 'normal', message: skipping});
      }
    }
    // Usages come whether the condition holds or not: the order of deletion does not come and go.
    if (this.#input['enableDeletionSequencing'] === true && !createOnly) {
      const invalid = this.#addUsages(sequence);
      if (invalid !== undefined) return invalid;
    }
    if (isSkipped || deleteOnly) return undefined;
    for (const [index, name] of sequence.entries()) {
      // A pattern is not the name of what is there, so it goes on for those that are not.
      if (index === 0 || this.#message.observed.resources.has(name)) continue;
      const invalid = this.#delay(name, sequence.slice(0, index));
      if (invalid !== undefined) return invalid;
    }
    return undefined;
  }

  #delay(name: string, before: readonly string[]): string | undefined {
    for (const one of before) {
      const pattern = patternOf(one);
      if (pattern === undefined) return `cannot compile regex ${one}`;
      const matching = [...this.#desired].filter(([key]) => pattern.test(key));
      const ready = matching.filter(([, resource]) => resource.ready === 'true').length;
      const current = patternOf(name);
      if (current === undefined) return `cannot compile regex ${name}`;
      if (matching.length > 0 && matching.length === ready) continue;
      const why = matching.length === 0 ? 'does not exist yet' : `is not fully ready (${ready} of ${matching.length})`;
      const delaying = `Delaying creation of resource(s) matching ${JSON.stringify(name)} because ${JSON.stringify(one)} ${why}`;
      this.results.push({severity: 'normal', message: delaying});
      for (const key of [...this.#desired.keys()]) {
        if (!current.test(key) || this.#message.observed.resources.has(key)) continue;
        this.#desired.delete(key);
        this.#dropped.add(key);
        if (this.#input['resetCompositeReadiness'] === true) this.#reset();
      }
      return undefined;
    }
    return undefined;
  }

  #reset(): void {
    this.isReset = true;
    if (this.#message.desired.composite !== undefined) return;
    this.broken ??=
      'the process of function-sequencer ends: it writes to a desired XR that no step before it has named';
  }

  #addUsages(sequence: readonly string[]): string | undefined {
    const {observed} = this.#message;
    for (const [index, text] of sequence.entries()) {
      if (index === 0) continue;
      const [byPattern, ofText] = [patternOf(text), sequence[index - 1] ?? ''];
      const ofPattern = patternOf(ofText);
      const invalid = byPattern === undefined ? text : ofText;
      if (byPattern === undefined || ofPattern === undefined) {
        this.broken = `cannot compile regex ${invalid}`;
        return this.broken;
      }
      for (const [byName, by] of observed.resources) {
        if (!byPattern.test(byName) || this.#isUsage(by)) continue;
        for (const ofName of this.#desired.keys()) {
          const of = ofPattern.test(ofName) ? observed.resources.get(ofName) : undefined;
          if (of === undefined) continue;
          this.#usages.set(`${byName}-${ofName}-usage`, {kind: 'put', object: this.#usage(of, by), ready: 'true'});
        }
      }
    }
    return undefined;
  }

  get #isLegacy(): boolean {
    return this.#input['usageVersion'] === 'v1';
  }

  #isUsage({apiVersion, kind}: ResourceMessage): boolean {
    if (this.#isLegacy) return apiVersion === 'apiextensions.crossplane.io/v1beta1' && kind === 'Usage';
    return apiVersion === 'protection.crossplane.io/v1beta1' && (kind === 'Usage' || kind === 'ClusterUsage');
  }

  #usage(of: ResourceMessage, by: ResourceMessage): JsonObject {
    return peerUsage({
      of,
      spec: {by: endOf(by), reason: 'dependency', replayDeletion: this.#input['replayDeletion'] === true},
      name: `${by.kind}-${by.name}-${of.kind}-${of.name}`,
      suffix: 'dependency',
      isLegacy: this.#isLegacy,
    });
  }

  #isMet(condition: string): boolean | {readonly problem: string} {
    const compiled = celCondition(condition);
    if (compiled.kind === 'no-cel') return {problem: `cannot parse CEL condition: ${compiled.problem}`};
    const {observed, desired, context} = this.#message;
    const bindings: CelBindings = {
      observed: stateOf(observed),
      desired: stateOf(desired),
      context: celValue(context === undefined ? {} : decodeStruct(context)),
    };
    const met = compiled.condition(bindings);
    return typeof met === 'boolean' ? met : {problem: `cannot evaluate CEL condition: ${met.problem}`};
  }
}

function rulesOf({rules}: JsonObject): readonly Rule[] {
  const list = Array.isArray(rules) ? rules.filter(isJsonObject) : [];
  return list.map(({sequence, condition, createOnly, deleteOnly}) => ({
    sequence: Array.isArray(sequence) ? sequence.map(String) : [],
    condition: textOf(condition),
    createOnly: createOnly === true,
    deleteOnly: deleteOnly === true,
  }));
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** As Go prints a slice. */
function listText(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}

/** Undefined where it does not compile. */
function patternOf(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern.startsWith('^') || pattern.endsWith('$') ? pattern : `^${pattern}$`);
  } catch {
    return undefined;
  }
}

/** apiextensions.fn.proto.v1 State, as CEL sees it: what is not set is empty. */
function stateOf({composite, resources}: StateMessage) {
  const entries = [...resources].map(([name, resource]) => [name, resourceOf(resource)] as const);
  return celRecord({composite: resourceOf(composite), resources: celRecord(Object.fromEntries(entries))});
}

function resourceOf(resource: ResourceMessage | undefined) {
  const ready = readyNumbers[resource?.ready ?? 'unspecified'];
  return celRecord({resource: celValue(resource?.json() ?? {}), ready, connection_details: celRecord({})});
}
