// The plan for an Operation. It has no XR and observes nothing, and Crossplane applies the desired resources once, with a field
// manager of that Operation (crossplane/crossplane 2d040d2da internal/controller/ops/operation/reconciler.go). This function can
// protect the resources that it requires; a WatchOperation requires those that it watches.
//
// Operations belong to Crossplane 2, so `crossplane` of the input does not choose the kind of Usage here. Conditions have no XR to
// be on. A resource that is no longer selected stays protected: an Operation deletes nothing.

import {roomOfOperation} from '../facts/room.ts';
import {type Input, type InvalidInput, ttlIn} from '../input/input.ts';
import {unmatchedPatterns} from '../input/pattern-work.ts';
import {usageApiOf} from '../input/usage-api.ts';
import {show} from '../input/validate.ts';
import {protectionName, type UsageName} from '../usages/names.ts';
import {protectedRequired} from '../usages/protect.ts';
import {reportedPairs} from '../usages/usages.ts';
import type {Decision} from '../words/decision.ts';
import type {Edit} from '../words/edit.ts';
import {sortedMap} from '../words/json.ts';
import type {End} from '../words/references.ts';
import type {Snapshot} from '../words/snapshot.ts';
import type {Plan} from './plan.ts';
import {tetheredOf} from './summary.ts';

// Parts that are about the composed resources of an XR and would silently do nothing.
const partsOfXrs = [
  'externalNames',
  'give',
  'handover',
  'order',
  'removal',
  'resources',
  'restore',
  'take',
  'usages',
] as const;

/** The plan for a request without an XR, or the first part of the input that needs one. */
export function planOperation({required}: Pick<Snapshot, 'required'>, input: Input): Plan | InvalidInput {
  const part = partsOfXrs.find((name) => {
    const value: unknown = input[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (part !== undefined) {
    const expected = 'nothing, because an Operation has no XR';
    return {kind: 'invalid-input', path: part, expected, got: show(input[part])};
  }
  const [costly] = unmatchedPatterns({observed: new Map(), desired: new Map(), required}, input);
  if (costly !== undefined) return costly;
  const api = usageApiOf(undefined, false);
  const nameUsage = (of: End): UsageName => {
    const name = protectionName(undefined, of.object, api);
    return {resourceName: name, objectName: name};
  };
  const {usages, refused} = protectedRequired(required, '', input, {api, nameUsage, room: roomOfOperation()});
  const decisions = sortedMap([...usages.keys()].map((name): [string, Decision] => [name, {kind: 'create'}]));
  const refusedPairs = reportedPairs(refused);
  const edits = sortedMap(
    [...usages].map(([name, body]): [string, Edit] => [name, {kind: 'put', object: body, ready: 'true'}]),
  );
  return {
    kind: 'plan',
    decisions,
    edits,
    xrStatus: undefined,
    refusedPairs,
    unknownNames: [],
    outgrown: undefined,
    unmatched: [],
    undecided: [],
    leftBehind: [],
    awaited: [],
    condition: tetheredOf(decisions, refusedPairs, [], []),
    transitions: [],
    requirements: new Map(),
    schemas: new Map(),
    xrReady: undefined,
    ttlSeconds: ttlIn(input),
    ttlAtMostSeconds: undefined,
    isQuiet: true,
  };
}
