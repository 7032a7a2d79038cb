// Compositions with one function more or less: what `--with` and `--without` apply.

import {isList, isObject, type Json, withAt} from '../../cluster/json.ts';
import type {KubeObject} from '../../cluster/object.ts';
import {pipelineFunctions} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';

const tetherInput = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'};

/** The Compositions that do not call the function, each with a last step that does. Throws InputError where none is. */
export function withFunction(objects: readonly KubeObject[], name: string): readonly KubeObject[] {
  const lacking = objects.filter(
    (object) => object.kind === 'Composition' && !pipelineFunctions(object).includes(name),
  );
  if (lacking.length === 0) throw new InputError(`--with ${name} adds nothing: every Composition calls it already`);
  return lacking.map((composition) => adding(composition, name));
}

/** The Compositions that call the function, each without the steps that do. Throws InputError where none does. */
export function withoutFunction(objects: readonly KubeObject[], name: string): readonly KubeObject[] {
  const compositions = objects.filter((object) => object.kind === 'Composition');
  const calling = compositions.filter((composition) => pipelineFunctions(composition).includes(name));
  if (calling.length === 0) {
    const called = [...new Set(compositions.flatMap(pipelineFunctions))].sort().join(', ') || 'none';
    throw new InputError(`--without ${name} leaves out nothing: Compositions call ${called}`);
  }
  return calling.map((composition) => removing(composition, name));
}

export interface PipelineEdit {
  readonly kind: 'with' | 'without';
  readonly name: string;
}

/** All of the objects, the Compositions among them as the edits leave them. */
export function withEdits(objects: readonly KubeObject[], edits: readonly PipelineEdit[]): readonly KubeObject[] {
  return objects.map((object) =>
    edits.reduce((one, {kind, name}) => {
      if (one.kind !== 'Composition' || pipelineFunctions(one).includes(name) === (kind === 'with')) return one;
      return kind === 'with' ? adding(one, name) : removing(one, name);
    }, object),
  );
}

function adding(composition: KubeObject, name: string): KubeObject {
  return edited(composition, (steps) => {
    const isTaken = steps.some((one) => isObject(one) && one['step'] === 'tether');
    return [...steps, {step: isTaken ? name : 'tether', functionRef: {name}, input: tetherInput}];
  });
}

function removing(composition: KubeObject, name: string): KubeObject {
  return edited(composition, (steps) => steps.filter((one) => !calls(one, name)));
}

function calls(step: Json, name: string): boolean {
  const ref = isObject(step) ? step['functionRef'] : undefined;
  return isObject(ref) && ref['name'] === name;
}

function edited(
  {apiVersion, kind, metadata, spec = {}}: KubeObject,
  edit: (steps: readonly Json[]) => readonly Json[],
): KubeObject {
  const {name, labels, annotations} = metadata;
  const kept = {name, ...(labels === undefined ? {} : {labels}), ...(annotations === undefined ? {} : {annotations})};
  const pipeline = spec['pipeline'];
  return {apiVersion, kind, metadata: kept, spec: withAt(spec, ['pipeline'], edit(isList(pipeline) ? pipeline : []))};
}
