import {expect, test} from 'vitest';
import {conditionSentence, transitionSentence} from '../../src/function/answer.ts';
import type {Plan} from '../../src/lifecycle/plan/plan.ts';
import type {Decision} from '../../src/lifecycle/words/decision.ts';
import {rowOf} from '../../src/lifecycle/words/decision.ts';
import type {Transition} from '../../src/lifecycle/words/events.ts';
import type {End} from '../../src/lifecycle/words/references.ts';

const object = {apiVersion: 'example.org/v1', kind: 'Thing', namespace: 'ns', name: 'x'};
const clusterScoped = {...object, namespace: '', name: 'y'};
const controller = {apiVersion: 'example.org/v1', kind: 'XApp', name: 'prod', uid: 'old-uid'};
const composed: End = {resourceName: 'app', object};
const foreign: End = {resourceName: '', object: clusterScoped};

const stories: [Decision, string][] = [
  [{kind: 'keep'}, 'keeping composed resource "db"'],
  [{kind: 'create'}, 'creating composed resource "db"'],
  [{kind: 'release'}, 'releasing composed resource "db"'],
  [{kind: 'retain'}, 'retaining composed resource "db": its removal policy is Retain'],
  [{kind: 'adopt', reason: 'without-controller'}, 'adopting composed resource "db": it has no controller reference'],
  [
    {kind: 'adopt', reason: 'found-by-label', object},
    'adopting composed resource "db": found Thing "ns/x" by its labels',
  ],
  [
    {kind: 'wait', reason: 'lookup-pending'},
    'waiting to create composed resource "db": the lookup of lost resources is not answered yet',
  ],
  [
    {kind: 'wait', reason: 'stale-controller', object, controller},
    'waiting to create composed resource "db": Thing "ns/x" carries its labels and is controlled by XApp "prod" (uid old-uid)',
  ],
  [
    {kind: 'wait', reason: 'ambiguous-lookup', objects: [object, clusterScoped]},
    'waiting to create composed resource "db": Thing "ns/x" and Thing "y" all carry its labels',
  ],
  [
    {kind: 'wait', reason: 'still-deleting', object},
    'waiting to create composed resource "db": Thing "ns/x" carries its labels and is still deleting',
  ],
  [
    {kind: 'hold', reason: 'without-controller'},
    'holding composed resource "db": it has no controller reference and is adopted before it is released',
  ],
  [
    {kind: 'hold', reason: 'found-by-label', object},
    'holding composed resource "db": found Thing "ns/x" by its labels; it is adopted before it is released',
  ],
  [
    {kind: 'hold', reason: 'inner-adopts-first'},
    'holding composed resource "db": it is an XR that has not reconciled since it is there, and what it composes may still have no controller reference; if it never does, name it as NAME@UID in the annotation tether.fn.crossplane.io/confirm-removal of this XR',
  ],
  [
    {kind: 'hold', reason: 'restore-in-progress', awaited: [{cause: 'unadopted', resourceName: 'a'}]},
    'holding composed resource "db": nothing is released before "a" is adopted',
  ],
  [
    {
      kind: 'hold',
      reason: 'restore-in-progress',
      awaited: ['a', 'b', 'c'].map((resourceName) => ({cause: 'unadopted', resourceName})),
    },
    'holding composed resource "db": nothing is released before "a", "b" and "c" are adopted',
  ],
  [
    {
      kind: 'hold',
      reason: 'restore-in-progress',
      awaited: [
        {cause: 'unready', resourceName: 'a', type: 'Synced', status: 'False', why: 'ReconcileError'},
        {cause: 'paused', resourceName: 'b'},
        {cause: 'create-pending', resourceName: 'c'},
        {cause: 'silent', resourceName: 'd'},
        {cause: 'missing', resourceName: 'e'},
        {cause: 'no-connection', resourceName: 'f'},
        {cause: 'no-finalizer', resourceName: 'g'},
        {cause: 'own-field', field: 'status.id', isThere: false},
        {cause: 'own-field', field: 'connection details', isThere: false},
      ],
    },
    'holding composed resource "db": nothing is released before all that the pipeline reads is back: "a" has Synced=False ReconcileError, "b" is paused, "c" is being created, or its provider waits for a person to take its external-create-pending off, "d" has no status yet, "e" is not there, "f" names a Secret for its connection details, and none are there, "g" does not have the finalizer of its provider again, the XR has no "status.id" yet, which the pipeline sets and the XR has no connection details yet, which the pipeline sets; if that never comes, name what may be deleted as NAME@UID in the annotation tether.fn.crossplane.io/confirm-removal of the XR',
  ],
  [
    {
      kind: 'hold',
      reason: 'restore-in-progress',
      awaited: [{cause: 'own-field', field: 'status.id', isThere: false}],
    },
    'holding composed resource "db": nothing is released before the XR itself is complete: the XR has no "status.id" yet, which the pipeline sets; if that never comes, name what may be deleted as NAME@UID in the annotation tether.fn.crossplane.io/confirm-removal of the XR',
  ],
  [
    {kind: 'hold', reason: 'restore-in-progress', awaited: []},
    'holding composed resource "db": nothing is released before the pipeline has seen all that is back',
  ],
  [
    {kind: 'hold', reason: 'still-used-by', by: [composed], usages: ['db-by-app']},
    'holding composed resource "db": Usage "db-by-app" still names composed resource "app" as by',
  ],
  [
    {kind: 'hold', reason: 'still-used-by', by: [composed, foreign], usages: []},
    'holding composed resource "db": composed resource "app" and Thing "y" still use it',
  ],
  [
    {kind: 'hold', reason: 'usage-leaves-first', usages: ['u']},
    'holding composed resource "db": Usage "u" still protects it and leaves first',
  ],
  [
    {kind: 'hold', reason: 'protected', usages: ['u', 'v']},
    'holding composed resource "db": Usage "u" and "v" protect it; it goes once the label or rule that asks for that is taken away',
  ],
  [
    {kind: 'hold', reason: 'usage-arrives-first', usages: ['u']},
    'holding composed resource "db": Usage "u", which will order its deletion, is not observed yet',
  ],
  [
    {kind: 'hold', reason: 'in-use', isCertain: true, check: undefined},
    'holding composed resource "db": a Usage outside of this XR names it, because Crossplane keeps the label crossplane.io/in-use on it; it is released once no Usage names it',
  ],
  [
    {kind: 'hold', reason: 'in-use', isCertain: false, check: {usage: 'u', isObserved: false}},
    'holding composed resource "db": it has the label crossplane.io/in-use, and no Usage of this XR explains it; Usage "u" finds out whether another one names it',
  ],
  [
    {kind: 'hold', reason: 'in-use', isCertain: false, check: undefined},
    'holding composed resource "db": it has the label crossplane.io/in-use, and no Usage of this XR explains it; if no other Usage names it either, take the label off, or name it in the annotation tether.fn.crossplane.io/confirm-removal of the XR',
  ],
  [
    {kind: 'hold', reason: 'by-still-exists', of: foreign, by: composed},
    'holding composed resource "db": composed resource "app" still uses Thing "y"',
  ],
  [
    {kind: 'hold', reason: 'relax-first', of: foreign, by: composed},
    'holding composed resource "db": composed resource "app" is taken out of it before it is released',
  ],
  [
    {kind: 'hold', reason: 'over-budget', leaving: 9, observed: 10},
    'holding composed resource "db": 9 of 10 observed resources would leave, more than the budget allows',
  ],
  [
    {kind: 'refuse', reason: 'stale-controller', controller},
    'refusing to touch composed resource "db": it is controlled by XApp "prod" (uid old-uid)',
  ],
  ...(
    [
      ['immutable', 'is immutable'],
      ['binary', 'has the key "names" in its binaryData'],
      ['full', 'has no room left for them'],
    ] as const
  ).map(([cause, words]): [Decision, string] => [
    {kind: 'refuse', reason: 'unwritable', object, cause},
    `refusing to write composed resource "db": Thing "ns/x" ${words}; no new external-name is remembered; delete it, and this function creates it again`,
  ]),
];

test.each(stories)('%j', (decision, sentence) => {
  expect(rowOf(decision).sentence('db', decision)).toBe(sentence);
});

test.each<[Transition, string]>([
  [{kind: 'adopted', resourceName: 'db'}, 'adopted composed resource "db"'],
  [{kind: 'releasing', resourceName: 'db'}, 'releasing composed resource "db": nothing keeps it any more'],
  [{kind: 'adopting', resourceName: 'db'}, 'adopting composed resource "db": it has no controller reference'],
  [
    {kind: 'external-name-saved', resourceName: 'db', lateInitializes: true},
    'saving the external-name of composed resource "db" from its status',
  ],
  [
    {kind: 'name-unknown', resourceName: 'db', path: 'removal.policies[0].match', name: 'vcp'},
    'input.removal.policies[0].match names "vcp", which is neither desired nor observed; if that is intended, set `optional: true` beside it',
  ],
  [
    {kind: 'external-name-restored', resourceName: 'db'},
    'restoring the external-name of composed resource "db", which was lost',
  ],
  [
    {kind: 'external-name-unproven', resourceName: 'db'},
    'creating composed resource "db" without its remembered external-name: the entry has no valid seal, so anyone may have written it; set --memory-key-file, or annotate the resource by hand',
  ],
  [
    {kind: 'external-names-unsealed', resourceName: 'tether-external-names'},
    'remembering external-names for people alone: others may write where they are kept, so without --memory-key-file none is ever put back',
  ],
])('the event %j', (transition, sentence) => {
  expect(transitionSentence(transition, {kind: 'adopt', reason: 'without-controller'})).toBe(sentence);
});

const quiet = {
  condition: {status: 'True', reason: 'Tethered', resources: []},
  refusedPairs: [],
  transitions: [],
  unmatched: [],
  decisions: new Map(),
};

test('the condition tells of a `when` that says neither', () => {
  const undecided = [
    {kind: 'invalid-input', path: 'order[0].when', expected: 'an expression that is true or false', got: 'a string'},
  ];
  expect(conditionSentence({...quiet, unknownNames: [], undecided} as unknown as Plan)).toBe(
    'every composed resource is as the pipeline wants it; input.order[0].when is taken as true: expected an expression that is true or false, got a string',
  );
});

test('the condition tells of names that no resource has', () => {
  const plan = {...quiet, undecided: []};
  const unknownNames = [{path: 'order[0].sequence[1]', name: 'vcp'}];
  expect(conditionSentence({...plan, unknownNames} as unknown as Plan)).toBe(
    'every composed resource is as the pipeline wants it; input.order[0].sequence[1] names "vcp", which is neither desired nor observed; if that is intended, set `optional: true` beside it',
  );
});

test('the condition tells of what no requirement has, and of what selects no XR', () => {
  const unknownNames = [
    {path: 'protect.required[0].match', among: 'required', part: 'pattern', name: 'sett*'},
    {path: 'protect.xrMatch', among: 'xr', part: 'kinds', name: 'App of v1'},
  ];
  expect(conditionSentence({...quiet, undecided: [], unknownNames} as unknown as Plan)).toBe(
    'every composed resource is as the pipeline wants it; input.protect.required[0].match has the pattern "sett*", which matches no requirement of the step (a regular expression for the whole name, as subnet-.*); if that is intended, set `optional: true` beside it; input.protect.xrMatch names App of v1, and the XR is of another kind; if that is intended, set `optional: true` beside it',
  );
});

test('the condition tells of pairs that no Usage can express', () => {
  const refused = {path: 'usages[0]', of: clusterScoped, by: object, reason: 'of-cluster-by-namespaced'} as const;
  const plan = {
    condition: {status: 'False', reason: 'Refusing', resources: []},
    refusedPairs: [refused],
    transitions: [],
    unknownNames: [],
    undecided: [],
    unmatched: [],
    leftBehind: [],
  };
  expect(conditionSentence({...plan, decisions: new Map()} as unknown as Plan)).toBe(
    'refusing to compose a Usage for input.usages[0] (of Thing "y", by Thing "ns/x"): no Usage protects a cluster-scoped resource for a namespaced one',
  );
});
