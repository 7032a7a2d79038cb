// Puts something into a story at one moment: the step in which the moment lies ends there, what was put comes, and the
// rest of the step goes on after it. The story stays a scenario, so what is put can be read, changed and taken out.

import {type Document, isMap, isSeq, parseDocument, type YAMLMap} from 'yaml';

/** A moment of a story: so long after a step began. */
export interface StoryMoment {
  /** From 0. */
  readonly step: number;
  readonly afterMs: number;
}

/** An object, by its own name or by that of the composed resource. */
export interface Target {
  readonly kind: string;
  readonly name?: string;
  readonly resource?: string;
  readonly namespace?: string;
}

export type Intervention =
  | {readonly kind: 'crash'}
  | {readonly kind: 'provider-restart'}
  | {readonly kind: 'stale-cache'; readonly of?: string}
  | {readonly kind: 'edit'; readonly target: Target; readonly patch: unknown}
  | {readonly kind: 'delete'; readonly target: Target};

/** How long a cache stays behind. */
const staleText = '30s';

/** The scenario's text with the intervention; `actionMs` is how long the action of that step takes. */
export function intervene(text: string, moment: StoryMoment, intervention: Intervention, actionMs = 0): string {
  const document = parseDocument(text, {schema: 'yaml-1.1', version: '1.2'});
  const steps = document.get('steps');
  if (!isSeq(steps)) return text;
  const step = steps.items[moment.step];
  if (!isMap(step)) return text;
  const passedMs = Math.max(0, Math.round(moment.afterMs - actionMs));
  const rest = document.createNode(restOf(step, steps.items, passedMs)) as YAMLMap;
  for (const key of ['wait', 'expect', 'mayFail']) step.delete(key);
  if (passedMs > 0) step.set('wait', `${passedMs}ms`);
  // What was expected of the story as it was written is no longer certain; it goes on all the same.
  const after = [
    ...stepsOf(intervention).map((one) => document.createNode(one)),
    rest,
    ...steps.items.slice(moment.step + 1),
  ];
  for (const one of after) if (isMap(one)) one.set('mayFail', true);
  moveVerdict(document, String(step.get('name') ?? ''), String(rest.get('name')));
  const isEmpty = step.items.every(({key}) => String(key) === 'name');
  steps.items = [...steps.items.slice(0, isEmpty ? moment.step : moment.step + 1), ...after];
  return document.toString({lineWidth: 120});
}

/** What is left of a step after `passedMs` of its wait. */
function restOf(step: YAMLMap, steps: readonly unknown[], passedMs: number): object {
  const whole = step.toJSON() as {readonly name?: string; readonly wait?: unknown; readonly expect?: unknown};
  const wait = typeof whole.wait === 'string' ? remaining(whole.wait, passedMs) : whole.wait;
  const taken = steps.flatMap((one) => (isMap(one) ? [String(one.get('name') ?? '')] : []));
  return {
    name: freeName(whole.name ?? 'the story', taken),
    wait: wait ?? '0s',
    ...(whole.expect === undefined ? {} : {expect: whole.expect}),
  };
}

function remaining(wait: string, passedMs: number): string {
  const units: {readonly [unit: string]: number} = {ms: 1, s: 1000, m: 60_000, h: 3_600_000};
  const parts = [...wait.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const ms = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 's'] ?? 0), 0);
  return `${Math.max(0, ms - passedMs)}ms`;
}

function freeName(name: string, taken: readonly string[]): string {
  const base = `${name.replace(/, goes on(?: \d+)?$/, '')}, goes on`;
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number++) if (!taken.includes(`${base} ${number}`)) return `${base} ${number}`;
}

/** A bug that shows after the step shows after the rest of it. */
function moveVerdict(document: Document, step: string, rest: string): void {
  if (step !== '' && document.getIn(['bug', 'after']) === step) document.setIn(['bug', 'after'], rest);
}

function stepsOf(intervention: Intervention): readonly object[] {
  switch (intervention.kind) {
    case 'crash':
      return [
        {name: 'Crossplane crashes', kill: 'crossplane', wait: '1s'},
        {name: 'Crossplane is back', start: 'crossplane'},
      ];
    case 'provider-restart':
      return [{name: 'the provider restarts', restart: 'provider'}];
    case 'stale-cache': {
      const {of} = intervention;
      const kinds = of === undefined ? {} : {kinds: [of]};
      const what = of === undefined ? 'the caches of Crossplane fall' : `what Crossplane knows of ${of} falls`;
      return [{name: `${what} behind`, fault: {stale: 'crossplane', ...kinds, for: staleText}}];
    }
    case 'edit': {
      const {target, patch} = intervention;
      return [{name: `a person edits ${nameOf(target)}`, by: 'person', patch: {...target, body: patch}}];
    }
    case 'delete': {
      const {target} = intervention;
      return [{name: `a person deletes ${nameOf(target)}`, by: 'person', delete: target}];
    }
  }
}

function nameOf({kind, name, resource}: Target): string {
  return `${kind} ${resource ?? name}`;
}
