// The end of a story about everything: up to nine trials, each of one part of the input or of a field that people edit. The draws of
// each are its own, so that the steps before it stay the same.

import type {Step} from '../../scenario/scenario.ts';
import {type Draw, drawFrom} from '../draw.ts';
import {giveDry, giveTwo, moveTwo, useNameAgain} from '../hand-over.ts';
import {type Maker, type Scene, takeRights} from '../moves.ts';
import {billed, dialects, held, longNames, mended, outerEdit, selected, twoTemplates} from './corners.ts';
import {included, naming, newWords, nought, oneField, scaling, values} from './edits.ts';
import {claimed, nestedEdit, nestedLater} from './nested-and-claimed-xrs.ts';
import {halfOrder, ordered, severalUses, use} from './orders.ts';
import {labelledXr, ofXrAlone, protectedTogether, protection, required} from './protection.ts';
import {nearMiss, partialRemoval, removal, retained} from './removal.ts';
import {failure, interrupted, marking, outage, pausing, unavailable} from './resources-by-hand.ts';
import {details, lookup, memory, password} from './restores.ts';
import * as selections from './selections.ts';
import {isNested} from './tried.ts';
import * as words from './words.ts';

/** `before`: the steps of the story so far. */
export function drawTrials(seed: bigint, number: number, scene: Scene, before: readonly Step[]): readonly Step[] {
  const first = drawFirst(drawFrom(seed ^ 0x747269616cn, number), scene, before);
  const second = drawSecond(drawFrom(seed ^ 0x7365636f6e64n, number), scene);
  const third = drawThird(drawFrom(seed ^ 0x7468697264n, number), scene, before);
  const all = [...first, ...second, ...third];
  const fourth = drawFourth(drawFrom(seed ^ 0x666f75727468n, number), scene, [...before, ...all]);
  const fifth = drawFifth(drawFrom(seed ^ 0x6669667468n, number), scene, [...before, ...all, ...fourth]);
  const most = [...all, ...fourth, ...fifth];
  const sixth = drawSixth(drawFrom(seed ^ 0x7369787468n, number), scene, [...before, ...most]);
  const seventh = drawFrom(seed ^ 0x736576656e7468n, number);
  const rights = seventh.chance(8) && !isMoving(most) ? takeRights(seventh, scene) : [];
  const eighth = drawEighth(drawFrom(seed ^ 0x656967687468n, number), scene, [...before, ...most, ...sixth]);
  const last = [...most, ...sixth, ...rights, ...eighth];
  const ninth = drawNinth(drawFrom(seed ^ 0x6e696e7468n, number), scene, [...before, ...last]);
  return [...last, ...ninth, ...drawAgain(seed, number, scene)];
}

/** Stories about moves end with this alone: a resource name of what moved is used again. */
export function drawAgain(seed: bigint, number: number, scene: Scene): readonly Step[] {
  const draw = drawFrom(seed ^ 0x616761696en, number);
  return draw.chance(60) ? useNameAgain(draw, scene) : [];
}

type Trials = readonly (readonly [weight: number, Maker])[];

const firsts: Trials = [
  [6, use],
  [5, protection],
  [4, lookup],
  [4, removal],
  [2, memory],
  [4, pausing],
  [5, oneField],
  [3, failure],
  [3, marking],
];

function hasNested({blueprints}: Scene): boolean {
  return [...blueprints.values()].some(({resources}) => resources.some(isNested));
}

/** As often as all other first trials together. */
const often = 36;

/** One in four stories has none. Few stories have a nested XR, so theirs have its use. */
function drawFirst(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const maker = draw.chance(67)
    ? draw.weighted(hasNested(scene) ? [...firsts, [often, use] as const] : firsts)
    : draw.chance(25)
      ? naming
      : undefined;
  return maker === undefined || (maker === lookup && before.some(mayDouble)) ? [] : maker(draw, scene);
}

/** Two objects may then carry one name, and a person has to decide which of them is looked up. */
function mayDouble({action}: Step): boolean {
  const isRelisted = action?.kind === 'patch' && JSON.stringify(action.body).includes('"resourceRefs"');
  return (
    isRelisted || action?.kind === 'restore' || (action?.kind === 'delete' && action.propagationPolicy === 'Orphan')
  );
}

/** What harms only the second time, only some of several, or only a value that is none. */
const seconds: Trials = [
  [4, scaling],
  [3, outage],
  [3, nought],
  [3, severalUses],
  [5, partialRemoval],
  [3, newWords],
  [3, ordered],
  [3, nestedEdit],
];

function drawSecond(draw: Draw, scene: Scene): readonly Step[] {
  return draw.chance(40) ? draw.weighted(seconds)(draw, scene) : [];
}

/**
 * What harms only the near miss of a selector, only an XR without protected resources, only a nested XR, or only after a restore that
 * comes before its provider.
 */
const thirds: Trials = [
  [5, nearMiss],
  [4, ofXrAlone],
  [3, unavailable],
  [4, halfOrder],
  [3, included],
  [3, nestedLater],
  [2, details],
  [2, interrupted],
];

/** Rare values, the second of two protected resources, a deletion after a drop, and a labelled XR. */
const fourths: Trials = [
  [3, values],
  [2, retained],
  [2, protectedTogether],
  [2, labelledXr],
];

/** None after an XR is deleted: that may have been denied, and then its protection would end. */
function drawFourth(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  return !isDeleted(before) && draw.chance(25) ? draw.weighted(fourths)(draw, scene) : [];
}

function isDeleted(before: readonly Step[]): boolean {
  return before.some(({name}) => /delete (an|a protected) XR/.test(name));
}

/** Few stories move to another kind or move two, and few objects name a Secret. None after a restore. */
function drawFifth(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const isRestored = before.some(({action}) => action?.kind === 'restore');
  if (isRestored) return [];
  return draw.chance(8) ? password(draw, scene) : draw.chance(6) ? moveTwo(draw, scene) : [];
}

/** True while a move of what has a password may go on, which holds what is dropped. */
function isMoving(before: readonly Step[]): boolean {
  return before.some(({name}) => name.includes('has a password'));
}

/**
 * Words of the input, each where it decides. None while a move goes on; what protects, or contradicts itself, after no denied deletion.
 */
const sixths: Trials = [
  [2, words.absent],
  [4, words.halted],
  [3, words.lostAndDropped],
  [3, words.stableNames],
  [3, words.unnamed],
  [2, words.later],
  [6, words.contradiction],
  [3, words.unready],
  [6, words.severalProtected],
];

function drawSixth(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const isRestored = before.some(({action}) => action?.kind === 'restore');
  if (isRestored || isMoving(before) || !draw.chance(55)) return [];
  const maker = draw.weighted(hasNested(scene) ? [...sixths, [often, nestedEdit] as const] : sixths);
  const isLost = maker === words.lostAndDropped || maker === words.stableNames;
  const isDenied = isDeleted(before) || before.some(({name}) => name.startsWith('person: delete'));
  const isOfDenied = [words.absent, words.severalProtected, words.contradiction].includes(maker);
  const isAfter = isOfDenied ? isDenied : isLost && before.some(mayDouble);
  return isAfter ? [] : maker(draw, scene);
}

const eighths: Trials = [
  [4, longNames],
  [4, billed],
  [4, held],
  [2, mended],
  [9, giveTwo],
  [7, dialects],
  [8, selected],
  [3, twoTemplates],
];

function drawEighth(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  // An exchange ends only if all is at rest, and a removal only if no restore holds it.
  if (isMoving(before) || before.some(({action}) => action?.kind === 'restore') || !draw.chance(60)) return [];
  return draw.weighted(hasNested(scene) ? [...eighths, [often, outerEdit] as const] : eighths)(draw, scene);
}

const ninths: Trials = [
  [5, selections.selectedOrder],
  [3, selections.selectedMove],
  [3, selections.selectedName],
  [2, selections.selectedXr],
  [4, selections.selectedRequirement],
  [8, giveDry],
];

/** None after a restore, while a move goes on, after a denied deletion, or without rights. */
function drawNinth(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const isOther = before.some(
    ({name, action}) => action?.kind === 'restore' || /take rights|to another kind/.test(name),
  );
  const isBusy = isOther || isMoving(before) || isDeleted(before);
  return isBusy || !draw.chance(50) ? [] : draw.weighted(ninths)(draw, scene);
}

/** None after a restore: what that still waits for holds everything that a trial drops. */
function drawThird(draw: Draw, scene: Scene, before: readonly Step[]): readonly Step[] {
  const isRestored = before.some(({action}) => action?.kind === 'restore');
  if (isRestored) return [];
  if (draw.chance(30)) return draw.weighted(thirds)(draw, scene);
  if (draw.chance(10)) return required(draw, scene);
  return draw.chance(12) ? claimed(draw, scene) : [];
}
