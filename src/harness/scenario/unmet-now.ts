import type {Json} from '../../cluster/json.ts';
import {fillPlaceholders} from '../control-plane/operator/placeholders.ts';
import {type Unmet, unmetExpectation} from './check.ts';
import type {Expectation, Expected} from './scenario.ts';
import type {StepSetting} from './step-setting.ts';

/** Why an expectation does not hold at this moment, its placeholders filled with what lives now; undefined where it holds. */
export function unmetNow(
  {what}: Expectation,
  {evidence, controlPlane}: Pick<StepSetting, 'controlPlane' | 'evidence'>,
): Unmet | undefined {
  // Ranges may be without end, which JSON does not have; no text stands in them.
  const filled = fillPlaceholders(what as unknown as Json, controlPlane.catalogue);
  return filled.ok
    ? unmetExpectation({what: filled.value as unknown as Expected}, evidence)
    : {message: filled.problem};
}
