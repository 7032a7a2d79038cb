// The output of `crossplane render` stands in for the functions of a Composition that cannot run here: a Composition of the
// same name whose one step desires what was printed. function-auto-ready stays, if the pipeline had it.
//
// The answers follow nothing: not an edit of the XR, and not what is observed. A story of them shows what Crossplane and
// the provider do, and no more; a comment in the scenario warns of it.

import {isObject, type Json, type JsonObject} from '../../cluster/json.ts';
import {groupKindOf, groupOf, type KubeObject} from '../../cluster/object.ts';
import {annotationResourceName, labelClaimName, labelClaimNamespace, labelComposite} from '../../cluster/vocabulary.ts';
import {functionOf, isNamed, pipelineSteps} from '../functions/pipeline-functions.ts';
import {InputError} from '../input/input-error.ts';
import {readYamlFile} from '../input/yaml-file.ts';
import type {Configuration, Found} from './configuration.ts';

const recordedFunction = 'function-static';

/** The configuration with the recorded answers of each file in the place of the pipelines. Throws InputError. */
export function withRecorded(configuration: Configuration, files: readonly string[]): Configuration {
  return files.reduce(withRecordedFile, configuration);
}

function withRecordedFile(configuration: Configuration, file: string): Configuration {
  const objects = readYamlFile(file)
    .map(({value}) => value)
    .filter(isKubeObject);
  const composed = objects.filter((one) => resourceName(one) !== undefined);
  const xr = objects.find((one) => resourceName(one) === undefined);
  if (xr === undefined || composed.length === 0) {
    throw new InputError(
      `--recorded "${file}" must hold what \`crossplane render\` prints, an XR and what it composes, got ${objects.length} objects`,
    );
  }
  const isOfXr = ({object: {spec}}: Found): boolean => {
    const ref = spec?.['compositeTypeRef'];
    return isObject(ref) && ref['kind'] === xr.kind && groupOf(String(ref['apiVersion'])) === groupOf(xr.apiVersion);
  };
  if (!configuration.compositions.some(isOfXr)) {
    throw new InputError(`--recorded "${file}" is of ${groupKindOf(xr)}, which no Composition of the folder composes`);
  }
  const compositions = configuration.compositions.map((one) =>
    isOfXr(one) ? {object: standIn(one.object, composed), file, isAlone: false} : one,
  );
  return {...configuration, compositions};
}

const stepName = 'recorded';

/** True if recorded answers replace the functions of the Composition. */
export function isRecorded({object}: Found): boolean {
  return pipelineSteps(object).some(({step}) => step === stepName);
}

function standIn(composition: KubeObject, composed: readonly KubeObject[]): KubeObject {
  const ready = pipelineSteps(composition).filter((step) => isNamed(functionOf(step), 'function-auto-ready'));
  const resources = composed.map((one) => ({
    name: resourceName(one) ?? '',
    base: asDesired(one),
    ...(ready.length === 0 ? {ready: 'True'} : {}),
  }));
  const step: JsonObject = {
    step: stepName,
    functionRef: {name: recordedFunction},
    input: {apiVersion: 'static.fn.example.org/v1', kind: 'Input', resources},
  };
  return {...composition, spec: {...composition.spec, mode: 'Pipeline', pipeline: [step, ...ready]}};
}

/** Without what Crossplane added when it rendered. */
function asDesired({metadata, status: _, ...object}: KubeObject): JsonObject {
  const {ownerReferences: _owners, generateName: _prefix, ...own} = metadata as unknown as JsonObject;
  const annotations = without(metadata.annotations, [annotationResourceName]);
  const labels = without(metadata.labels, [labelComposite, labelClaimName, labelClaimNamespace]);
  return {...object, metadata: {...own, annotations, labels}} as JsonObject;
}

function without(map: {readonly [key: string]: string} = {}, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

function resourceName({metadata}: KubeObject): string | undefined {
  return metadata?.annotations?.[annotationResourceName];
}

function isKubeObject(value: Json): value is KubeObject {
  return isObject(value) && typeof value['kind'] === 'string' && isObject(value['metadata']);
}
