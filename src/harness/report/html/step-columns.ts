// The content of each step of a run: its lines, decisions of functions, changes of every object, and failures.

import {addressOf} from '../../../cluster/object.ts';
import {chaptersOf, timeText} from '../../control-plane/record/condense.ts';
import {type History, isLoss, type Version} from '../../control-plane/record/history.ts';
import {objectText} from '../../control-plane/record/words.ts';
import type {RecordedRun} from '../lanes/chart.ts';
import {decisionsOf, decisionTexts, isNotable} from '../lanes/decisions.ts';
import {objectDiff} from '../object-diff.ts';

export interface StepColumn {
  readonly failures: readonly string[];
  readonly lines: readonly {readonly time: string; readonly text: string}[];
  readonly decisions: readonly {readonly title: string; readonly texts: readonly string[]}[];
  readonly changes: readonly ObjectChange[];
}

interface ObjectChange {
  readonly title: string;
  /** As object-diff.ts writes it; empty for what is gone. */
  readonly diff: readonly string[];
}

export function stepColumns({timeline, history, failures}: RecordedRun): readonly StepColumn[] {
  const decisions = decisionsOf(history.calls);
  const changes = changesByStep(history);
  return chaptersOf(timeline).map(({lines}, step) => ({
    failures: failures.filter(({stepNumber}) => stepNumber === step + 1).map(({message}) => message),
    lines: lines.map(({atMs, text}) => ({time: timeText(atMs), text})),
    decisions: decisions
      .filter((decision) => decision.step === step && isNotable(decision))
      .map((decision) => ({
        title: `${timeText(decision.atMs)} ${decision.target}, reconcile ${decision.reconcile}`,
        texts: decisionTexts(decision),
      })),
    changes: changes.get(step) ?? [],
  }));
}

/** The lines that all columns share, and each column without them. */
export function withoutShared(columns: readonly (readonly ObjectChange[])[]): {
  readonly shared: readonly ObjectChange[];
  readonly own: readonly (readonly ObjectChange[])[];
} {
  const keyOf = ({title, diff}: ObjectChange): string => `${title}\n${diff.join('\n')}`;
  const [first = [], ...others] = columns.map((changes) => new Set(changes.map(keyOf)));
  const common = new Set(others.length === 0 ? [] : [...first].filter((key) => others.every((keys) => keys.has(key))));
  return {
    shared: (columns[0] ?? []).filter((change) => common.has(keyOf(change))),
    own: columns.map((changes) => changes.filter((change) => !common.has(keyOf(change)))),
  };
}

/** Of every step the objects it changed, from how the step found them to how it left them. */
function changesByStep({before, versions}: History): ReadonlyMap<number, readonly ObjectChange[]> {
  const now = new Map(before.map((object) => [addressOf(object), object]));
  const changes = new Map<number, readonly ObjectChange[]>();
  for (const [step, own] of Map.groupBy(versions, (version) => version.step)) {
    const list = [...Map.groupBy(own, ({object}) => addressOf(object))].map(([address, history]) => {
      const found = now.get(address);
      const kept = history.findLast((version) => version.type !== 'DELETED' && !isLoss(version));
      if (kept !== undefined) now.set(address, kept.object);
      return changeOf(found, history);
    });
    changes.set(
      step,
      list.filter((change) => change !== undefined),
    );
  }
  return changes;
}

/** `found` is how the step found the object; undefined where nothing of it shows. */
function changeOf(found: Version['object'] | undefined, history: readonly Version[]): ObjectChange | undefined {
  const [first, last] = [history[0], history.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const name = objectText(last.object);
  if (last.type === 'DELETED') return {title: `${name}: gone`, diff: []};
  const diff = objectDiff(found, last.object);
  if (diff.length === 0) return undefined;
  const wasLost = first.type === 'ADDED' && found !== undefined;
  const what = found === undefined ? 'new' : wasLost ? 'back, compared with what was lost' : 'changed';
  return {title: `${name}: ${what}`, diff};
}
