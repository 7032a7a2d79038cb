// The actions of a step, a form for each that reads it, and the way back: requests of an operator, a backup tool, a disaster, a process that dies.

import {verbs} from '../../../cluster/api/authorization.ts';
import {duration} from '../../input/duration.ts';
import {
  anything,
  byField,
  flag,
  list,
  mapOf,
  named,
  oneOf,
  type Read,
  tagged,
  text,
  to,
  wordOr,
} from '../../input/form.ts';
import {shownValue} from '../../input/input-error.ts';
import type {ManifestReader} from '../../input/manifests/manifest-reader.ts';
import {objectsForm} from '../../input/manifests/objects-form.ts';
import {map, may, must, or, type ReadFields} from '../../input/map-form.ts';
import {type Selector, selectorFields} from '../catalogue.ts';
import {profile} from '../profile-names.ts';

const process = named('Process', oneOf('crossplane', 'owner-gc', 'provider'), 'A process of the control plane.');

const patch = to(
  map({
    ...selectorFields,
    type: or(oneOf('merge', 'json'), 'merge', 'How the body is read: a JSON merge patch, or a JSON patch.'),
    subresource: may(oneOf('status'), 'The status is patched; the object itself unless set.'),
    body: must(anything, 'The patch.'),
  }),
  ({type, subresource, body, ...target}) => ({
    kind: 'patch' as const,
    target,
    type,
    status: subresource !== undefined,
    body,
  }),
);

interface Deletion {
  readonly kind: 'delete';
  readonly target: Selector;
  readonly ignoreNotFound: boolean;
  /** A client that names none leaves that of an earlier deletion as it is. */
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

const remove = to(
  map({
    ...selectorFields,
    propagationPolicy: or(
      oneOf('Background', 'Foreground', 'Orphan'),
      'Background',
      'What becomes of dependents. Background unless set, as kubectl delete says it, too.',
    ),
    ignoreNotFound: or(flag, false, 'Finding nothing is fine, as with the flag of kubectl.'),
  }),
  ({propagationPolicy, ignoreNotFound, ...target}): Deletion => ({
    kind: 'delete',
    target,
    ignoreNotFound,
    propagationPolicy,
  }),
);

const backup = map({
  tool: or(
    oneOf('velero', 'etcd', 'gitops', 'kubectl'),
    'velero',
    'What takes it, with all that it leaves out. kubectl: an export that is applied again, old owners and all.',
  ),
  kinds: or(list(text), [], 'Kinds that it holds: everything of custom kinds unless set.'),
  name: may(text, 'What a restore calls it. Needed for one that is not the last.'),
});

const wipe = map({kinds: or(list(text), [], 'Kinds that are lost: those of the backup unless set.')});

const modifier = map({
  groupResource: must(text, 'The resource (plural.group) that it changes.'),
  mergePatch: must(mapOf(anything), 'The merge patch.'),
});

const restore = map({
  backup: may(text, 'The name of the backup: that of the last step that took or restored one unless set.'),
  existingResourcePolicy: may(oneOf('none', 'update'), 'What becomes of objects that exist: left alone unless set.'),
  statusOf: may(list(text), 'Resources (plural.group, or * for all) whose status is restored.'),
  resources: may(
    list(text),
    'Resources (plural.group, or * for all) that are restored: all that were saved unless set.',
  ),
  exclude: may(list(text), 'Resources (plural.group, or * for all) that are not.'),
  priorities: may(list(text), 'Resources (plural.group) that are restored first, in this order.'),
  modifiers: may(
    list(modifier),
    'What is changed of objects before they are created, as resource modifiers with merge patches do.',
  ),
});

const broken = byField(
  {
    function: to(
      map({
        function: must(text, 'The function that answers with an error until the fault ends.'),
        error: must(text, 'What it says.'),
      }),
      ({function: name, error}) => ({kind: 'function' as const, name, error}),
    ),
    crash: to(
      map({crash: must(process, 'The process that dies.'), at: must(text, 'The point at which it does.')}),
      ({crash, at}) => ({kind: 'crash' as const, process: crash, point: at}),
    ),
    forbid: to(
      map({
        forbid: must(process, 'The process that lacks rights until the fault ends.'),
        verbs: must(list(oneOf(...verbs)), 'What it may not do, as RBAC calls it.'),
        kinds: or(list(text), [], 'With objects of these kinds; of all unless set.'),
      }),
      ({forbid: name, ...rights}) => ({kind: 'forbid' as const, process: name, ...rights}),
    ),
    stale: to(
      map({
        stale: must(process, 'The process whose caches fall behind: what its watches tell it comes late.'),
        kinds: or(list(text), [], 'Only what it knows of these kinds; of all unless set.'),
        for: must(duration, 'For so long.'),
      }),
      ({stale, kinds, for: forMs}) => ({kind: 'stale' as const, process: stale, kinds, forMs}),
    ),
  },
  ({value}, given) => {
    if (given.length > 0) return `a fault must name one of function, crash, forbid, stale, got ${given.join(' and ')}`;
    return `a fault must name one of function, crash, forbid, stale, got ${shownValue(value)}`;
  },
);

const fault = wordOr('end', {kind: 'end' as const}, broken);

function changing<C extends 'start' | 'stop' | 'restart' | 'kill'>(change: C) {
  return to(process, (name) => ({kind: 'process' as const, change, process: name}));
}

/** `manifests` reads what is applied: from files beside the scenario, or from the scenario itself. */
export function actionFields(manifests: ManifestReader) {
  const objects = objectsForm(manifests);
  return {
    apply: may(
      to(objects, (read) => ({kind: 'apply' as const, objects: read})),
      'Objects that are applied as kubectl does, server-side.',
    ),
    create: may(
      to(objects, (read) => ({kind: 'create' as const, objects: read})),
      'Objects that are created; one that exists is an error.',
    ),
    patch: may(patch, 'An object that is patched.'),
    delete: may(remove, 'Objects that are deleted.'),
    backup: may(tagged('backup', backup), 'A backup is taken.'),
    wipe: may(
      tagged('wipe', wipe),
      'Everything is lost in one instant, finalizers and all. The cloud keeps what it has.',
    ),
    restore: may(
      to(restore, (options) => ({kind: 'restore' as const, options})),
      'A backup comes back, the last one unless it is named. The other options are those of Velero.',
    ),
    start: may(changing('start'), 'A process starts.'),
    stop: may(changing('stop'), 'A process stops.'),
    restart: may(changing('restart'), 'A process stops and starts.'),
    kill: may(changing('kill'), 'A process dies between two calls.'),
    upgrade: may(
      tagged('upgrade', map({crossplane: must(profile, 'The version.')})),
      'Crossplane starts again as another version.',
    ),
    fault: may(
      to(fault, (one) => ({kind: 'fault' as const, fault: one})),
      'A function answers with an error or a process lacks rights until `fault: end`, a process dies at a point, or its caches fall behind.',
    ),
  };
}

type Actions = ReadFields<ReturnType<typeof actionFields>>;
export type StepAction = Exclude<Actions[keyof Actions], undefined>;
export type ProcessName = Read<typeof process>;
export type BackupTool = Read<typeof backup>['tool'];
export type Fault = Read<typeof fault>;
/** Besides the backup's name as Velero's own options; names are `plural.group`. */
export type RestoreSetting = Read<typeof restore>;

/** The action in the words of a scenario file. */
export function asScenarioAction(action: StepAction): object {
  switch (action.kind) {
    case 'apply':
    case 'create':
      return {[action.kind]: action.objects};
    case 'delete': {
      const {propagationPolicy = 'Background'} = action;
      const policy = propagationPolicy === 'Background' ? {} : {propagationPolicy};
      return {delete: {...action.target, ...policy}};
    }
    case 'patch': {
      const status = action.status ? {subresource: 'status'} : {};
      return {patch: {...action.target, type: action.type, body: action.body, ...status}};
    }
    case 'backup':
      return {
        backup: {
          tool: action.tool,
          ...(action.kinds.length === 0 ? {} : {kinds: action.kinds}),
          ...(action.name === undefined ? {} : {name: action.name}),
        },
      };
    case 'wipe':
      return {wipe: action.kinds.length === 0 ? {} : {kinds: action.kinds}};
    case 'restore':
      return {restore: action.options};
    case 'process':
      return {[action.change]: action.process};
    case 'upgrade':
      return {upgrade: {crossplane: action.crossplane}};
    case 'fault':
      return {fault: writtenFault(action.fault)};
  }
}

function writtenFault(fault: Fault): string | object {
  switch (fault.kind) {
    case 'end':
      return 'end';
    case 'function':
      return {function: fault.name, error: fault.error};
    case 'crash':
      return {crash: fault.process, at: fault.point};
    case 'forbid':
      return {forbid: fault.process, verbs: fault.verbs, ...writtenKinds(fault)};
    case 'stale':
      return {stale: fault.process, ...writtenKinds(fault), for: `${fault.forMs}ms`};
  }
}

function writtenKinds({kinds}: {readonly kinds: readonly string[]}): object {
  return kinds.length === 0 ? {} : {kinds};
}

/** The words for a step's action, for a step without a name. */
export function describe(action: StepAction): string {
  switch (action.kind) {
    case 'apply':
    case 'create':
      return `${action.kind} ${action.objects.map(({kind, metadata}) => `${kind} ${metadata.name}`).join(', ')}`;
    case 'patch':
    case 'delete':
      return `${action.kind} ${action.target.kind} ${action.target.name ?? action.target.resource ?? ''}`.trim();
    case 'process':
      return `${action.change} ${action.process}`;
    case 'upgrade':
      return `upgrade to Crossplane ${action.crossplane}`;
    case 'backup':
    case 'wipe':
    case 'restore':
    case 'fault':
      return action.kind;
  }
}

/** The kinds that an action names, misspelled or not. */
export function kindsIn(action: StepAction): readonly string[] {
  switch (action.kind) {
    case 'apply':
    case 'create':
      return action.objects.map((object) => object.kind);
    case 'patch':
    case 'delete':
      return [action.target.kind];
    case 'backup':
    case 'wipe':
      return action.kinds;
    case 'fault':
      return action.fault.kind === 'stale' || action.fault.kind === 'forbid' ? action.fault.kinds : [];
    case 'restore':
    case 'process':
    case 'upgrade':
      return [];
  }
}
