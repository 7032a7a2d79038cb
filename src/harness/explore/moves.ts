import {discover} from '../../cluster/api/server.ts';
import {etcdRestore, etcdSnapshot} from '../../cluster/backup/etcd.ts';
import {gitOpsSync, manifestOf} from '../../cluster/backup/git-ops.ts';
import {veleroBackup} from '../../cluster/backup/velero-backup.ts';
import {type VeleroRestoreOptions, veleroRestore} from '../../cluster/backup/velero-restore.ts';
import {wipe} from '../../cluster/backup/wipe.ts';
import type {Call, Step} from '../../cluster/kernel/call.ts';
import {startProcess, submit} from '../../cluster/kernel/step.ts';
import type {Observer, World} from '../../cluster/kernel/world.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {catalogueOf} from '../control-plane/catalogue.ts';
import type {Laboratory} from '../control-plane/control-plane.ts';
import {driveHere, openSession, type Session} from '../control-plane/session.ts';
import type {ProcessName, StepAction} from '../operator/action.ts';
import {driveAtOnce} from '../operator/drive-step.ts';
import {customKinds, savedKinds} from '../operator/operator.ts';
import type {Step as ScenarioStep} from '../scenario/scenario.ts';
import type {Stage} from '../scenario/stage.ts';
import {tellSteps} from '../scenario/tell.ts';
import type {ExploreState, Tool} from './explore-state.ts';
import {firstChoice, type Move, type Story} from './story.ts';

// What the operator does, one move at a time. A backup is one step, and so is a disaster: how long a real one takes is
// nobody's choice, and the two requests by which a wipe removes an object are an artifact. A restore is a tool whose
// requests are steps of their own, so that the control plane goes on between them.

/** Whether the move can be made here: it must find something to do, and not undo what was never done. */
export function isPossible(story: Story, state: ExploreState, index: number): boolean {
  if (state.tool !== undefined || state.made.includes(index)) return false;
  if (story.moveOrder === 'in-order') return state.made.length === index;
  const {action} = story.moves[index] as Move;
  switch (action.kind) {
    case 'backup':
      return !state.facts.wiped && state.made.length > 0;
    case 'wipe':
      return state.saved !== undefined && !state.facts.wiped;
    case 'restore':
      return state.facts.wiped;
    case 'process': {
      const stopped = state.stopped.includes(processNamed(story, action.process));
      return action.change === 'start' ? stopped : !stopped;
    }
    case 'delete':
    case 'patch':
      return laboratoryOf(story, openSession(story.definition, state.world)).catalogue.find(action.target).length > 0;
    default:
      return true;
  }
}

function processNamed({processes}: Story, name: ProcessName): string {
  return {crossplane: processes.crossplane, 'owner-gc': processes.ownerGc, provider: processes.provider}[name];
}

/** The state after the operator began the move; a tool's requests follow as steps of their own. */
export function makeMove(story: Story, state: ExploreState, index: number, observe?: Observer): ExploreState {
  const {action, step} = story.moves[index] as Move;
  const made = [...state.made, index];
  const told =
    observe === undefined
      ? {}
      : {observe: ({atMs, entry}: {atMs: number; entry: Parameters<Observer>[1]}) => observe(atMs, entry)};
  const session = openSession(story.definition, state.world, told);
  const laboratory = laboratoryOf(story, session);
  switch (action.kind) {
    case 'backup':
      return {...state, made, saved: backUp(action, laboratory), world: session.world};
    case 'wipe': {
      const kinds = action.kinds.length > 0 ? action.kinds : (state.saved?.kinds ?? []);
      driveAtOnce(session, 'disaster', wipe(kinds.flatMap((kind) => laboratory.catalogue.find({kind}))));
      return {...state, made, facts: {...state.facts, pairs: [], wiped: true}, world: session.world};
    }
    case 'restore': {
      const facts = {...state.facts, wiped: false};
      if (state.saved?.tool === 'etcd') {
        const restored = etcdRestore(story.definition, state.world, state.saved.snapshot);
        const world = story.definition.processes
          .filter(({name}) => !state.stopped.includes(name))
          .reduce((next, {name}) => startProcess(story.definition, next, name), restored);
        return {...state, made, facts: {...facts, pairs: []}, world};
      }
      return stepped(story, {...state, made, facts, tool: {move: index, replies: []}});
    }
    default: {
      const broken = {...state.broken};
      const by = step.by === undefined ? {} : {by: step.by};
      const bare: ScenarioStep = {name: step.name, place: step.place, ...by, action, expect: []};
      driveHere(tellSteps([bare], stageOf(story, laboratory, broken)));
      const name = action.kind === 'process' ? processNamed(story, action.process) : undefined;
      const isStop = action.kind === 'process' && (action.change === 'stop' || action.change === 'kill');
      const others = name === undefined ? state.stopped : state.stopped.filter((one) => one !== name);
      return {
        ...state,
        made,
        broken,
        stopped: isStop && name !== undefined ? [...others, name] : others,
        world: session.world,
      };
    }
  }
}

/** Carries out the next request of the tool. */
export function useTool(story: Story, state: ExploreState, observe?: Observer): ExploreState {
  const {tool} = state;
  if (tool === undefined) throw new Error('no tool is in use');
  const call = pendingCall(story, state, tool);
  if (call === undefined) return {...state, tool: undefined};
  const {world, reply} = answered(story, state.world, state.saved?.tool ?? 'velero', call, observe);
  return stepped(story, {...state, world, tool: {...tool, replies: [...tool.replies, reply]}});
}

/** The state with the tool put away where it has nothing more to ask. */
function stepped(story: Story, state: ExploreState): ExploreState {
  if (state.tool === undefined) return state;
  return pendingCall(story, state, state.tool) === undefined ? {...state, tool: undefined} : state;
}

function pendingCall(story: Story, state: ExploreState, tool: Tool): Call | undefined {
  const steps = stepsOf(story, state, tool);
  let next = steps.next();
  for (const reply of tool.replies) if (next.done !== true) next = steps.next(reply);
  return next.done === true ? undefined : next.value;
}

function stepsOf(story: Story, {saved}: ExploreState, {move}: Tool): Step<unknown> {
  const {action} = story.moves[move] as Move;
  if (saved?.tool === 'gitops') return gitOpsSync(saved.manifests, {manager: 'gitops'});
  if (action.kind !== 'restore' || saved?.tool !== 'velero') throw new Error('a tool needs a backup to work with');
  const options: VeleroRestoreOptions = {name: 'restore', ...(action.options as Partial<VeleroRestoreOptions>)};
  return veleroRestore(saved.backup, options);
}

/** A tool's waits take no time of their own: it asks again when it is its turn. */
function answered(
  {definition}: Story,
  world: World,
  actor: string,
  call: Call,
  observe: Observer | undefined,
): {readonly world: World; readonly reply: unknown} {
  if (call.to === 'api') {
    const {world: next, response} = submit(definition, world, actor, call.request, {
      chooser: firstChoice,
      ...(observe === undefined ? {} : {observe}),
    });
    return {world: next, reply: response};
  }
  return {world, reply: call.to === 'now' ? world.nowMs : undefined};
}

function backUp(action: StepAction & {readonly kind: 'backup'}, laboratory: Laboratory): ExploreState['saved'] {
  const {session, catalogue} = laboratory;
  const kinds = action.kinds.length > 0 ? action.kinds : customKinds(laboratory);
  if (action.tool === 'etcd') return {tool: 'etcd', snapshot: etcdSnapshot(session.world), kinds};
  if (action.tool === 'gitops') {
    return {tool: 'gitops', manifests: kinds.flatMap((kind) => catalogue.find({kind})).map(manifestOf), kinds};
  }
  const options = {name: 'backup', kinds: savedKinds(kinds, laboratory)};
  return {tool: 'velero', backup: driveAtOnce(session, 'velero', veleroBackup(options)), kinds};
}

function laboratoryOf(story: Story, session: Session): Laboratory {
  return {
    session,
    catalogue: catalogueOf(session, () => discover(session.world.server)),
    definition: story.definition,
    processes: story.processes,
    upgrade: () => {
      throw new Error('an upgrade cannot be explored');
    },
  };
}

function stageOf(story: Story, laboratory: Laboratory, broken: {[name: string]: string}): Stage {
  return {
    laboratory,
    evidence: {
      find: laboratory.catalogue.find,
      objects: (): readonly KubeObject[] => laboratory.catalogue.all(),
      timeline: () => [],
      externals: () => ({alive: 0, creates: 0, deletes: 0}),
    },
    crossplane: story.crossplane,
    lastEventMs: () => 0,
    beginStep: () => {},
    breakFunction: (name, error) => {
      if (error === undefined) delete broken[name];
      else broken[name] = error;
    },
    upgrade: () => {},
  };
}
