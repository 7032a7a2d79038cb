import type {KubeObject} from '../../cluster/object.ts';
import {concealerOf} from '../input/conceal/concealed.ts';
import {concealedSentence} from '../input/conceal/concealed-text.ts';
import {withoutValuesOf} from '../input/conceal/secret-values.ts';
import type {RunResult} from '../scenario/run-result.ts';
import type {Failure} from '../scenario/run-steps.ts';

/** The result of a run without secrets in its sentences and in every version of every object. */
export function concealedResult({objects, history, failures, allowed, stuck, ...rest}: RunResult): RunResult {
  const secrets = history?.versions.flatMap((one) => (one.object.kind === 'Secret' ? [one.object] : [])) ?? [];
  const all = [...(history?.before ?? []), ...secrets, ...objects];
  const {object} = concealerOf(all);
  const concealed = (list: readonly KubeObject[]): readonly KubeObject[] => list.map(object);
  return withoutValuesOf(all)({
    ...rest,
    objects: concealed(objects),
    failures: failures.map(concealedFailure),
    ...(allowed === undefined ? {} : {allowed: allowed.map(concealedFailure)}),
    stuck: stuck.map(concealedSentence),
    ...(history === undefined
      ? {}
      : {
          history: {
            ...history,
            before: concealed(history.before),
            versions: history.versions.map((one) => ({...one, object: object(one.object)})),
          },
        }),
  });
}

function concealedFailure({message, because, ...failure}: Failure): Failure {
  return {
    ...failure,
    message: concealedSentence(message),
    ...(because === undefined ? {} : {because: because.map(concealedSentence)}),
  };
}
