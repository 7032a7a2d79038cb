import {type KubeObject, refOf} from '../../cluster/object.ts';
import type {Laboratory} from '../control-plane/control-plane.ts';
import type {Drive} from '../control-plane/session.ts';
import {InputError} from '../input/input-error.ts';
import {missingAdvice, placed} from '../operator/operator.ts';
import type {Scenario} from './scenario.ts';

// What is there before the first step of a scenario.

/** What the package manager of a real Crossplane would install: here the laboratory does. */
const installedKind = 'Function';
const settleMs = 40_000;

/** Applies the fixtures and lets the control plane get to know them. */
export function* prepare(
  {fixtures, functions}: Pick<Scenario, 'fixtures' | 'functions'>,
  laboratory: Laboratory,
): Drive<void> {
  const {session} = laboratory;
  for (const fixture of fixtures) {
    if (fixture.kind === installedKind) continue;
    for (const name of pipelineFunctions(fixture)) requireFunction(name, fixture, functions);
    const object = placed(fixture, laboratory);
    const response = session.submit('user', {
      verb: 'patch',
      type: 'apply',
      ref: refOf(object),
      body: object,
      manager: 'user',
      force: true,
    });
    if (!response.ok) {
      throw new InputError(
        '',
        `cannot apply fixture ${object.kind} "${object.metadata.name}": ${response.message}${missingAdvice(response.message)}`,
      );
    }
    // Definitions are established before what they define is applied.
    if (/Definition$/.test(object.kind)) yield* session.run(session.nowMs + 1000);
  }
  // The owner GC learns of new kinds only every 30 s.
  yield* session.run(session.nowMs + settleMs);
}

function pipelineFunctions({kind, spec}: KubeObject): readonly string[] {
  const pipeline = kind === 'Composition' ? spec?.['pipeline'] : undefined;
  if (!Array.isArray(pipeline)) return [];
  return pipeline.map((step: {functionRef?: {name?: string}}) => step.functionRef?.name ?? '');
}

function requireFunction(name: string, composition: KubeObject, functions: Scenario['functions']): void {
  if (Object.hasOwn(functions, name)) return;
  const known = Object.keys(functions);
  throw new InputError(
    '',
    `cannot run Composition "${composition.metadata.name}": it calls function "${name}", which the scenario does not have (it has ${known.length === 0 ? 'none' : known.join(', ')})`,
  );
}
