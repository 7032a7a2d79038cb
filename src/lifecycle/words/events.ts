// Events: what of a plan is worth telling a person once, because it begins or ends in this very reconcile. A row each, with what it
// knows beside the resource name. It is read from the object, so it is not repeated.

import {composed, list, quoted, verb} from './phrases.ts';

/** A name in the input that no resource has. */
export interface UnknownName {
  /** Of the selector in the input. */
  readonly path: string;
  /** Where it looks; by default among the desired and observed resources. */
  readonly among?: 'required' | 'xr' | 'rules';
  /** Which part of the selector has it; by default a resource name. `selector`: all of it together. */
  readonly part?: 'pattern' | 'kinds' | 'labels' | 'selector';
  /** The name, the pattern, `Kind of group/version` or `key=value`; '' for the whole selector. */
  readonly name: string;
}

interface Row<Facts> {
  /** Of the result. */
  readonly reason: string;
  readonly severity: 'normal' | 'warning';
  readonly means: string;
  /** Undefined: that of the decision. */
  readonly sentence: ((resource: string, facts: Facts) => string) | undefined;
}

function normal<Facts = unknown>(reason: string, means: string, sentence?: Row<Facts>['sentence']): Row<Facts> {
  return {reason, severity: 'normal', means, sentence};
}

function warning<Facts = unknown>(reason: string, means: string, sentence?: Row<Facts>['sentence']): Row<Facts> {
  return {reason, severity: 'warning', means, sentence};
}

interface OrderBroken {
  /** Of the order in the input. */
  readonly path: string;
  /** It uses the resource by that order, and is there. */
  readonly by: string;
}

export const events = {
  adopting: normal('AdoptingResource', 'A controller reference is being put on.'),
  adopted: normal('AdoptedResource', 'The controller reference is on.', (what) => `adopted ${what}`),
  holding: normal('HoldingResource', 'Something that the pipeline dropped stays for now.'),
  releasing: normal(
    'ReleasingResource',
    'Crossplane may delete it from here on.',
    (what) => `releasing ${what}: nothing keeps it any more`,
  ),
  'leaving-alone': warning(
    'LeavingResourceAlone',
    "A dropped object without a controller reference is not proven to be this XR's; Crossplane acts as without function-tether.",
  ),
  refusing: warning(
    'RefusingResource',
    'A kind or resource name changed: the old object stays, and the new one is not made.',
  ),
  'handing-over': normal('HandingOverResource', 'A resource begins to move to another resource name or kind.'),
  'handed-over': normal(
    'HandedOverResource',
    'A resource that moved has arrived, with the same external resource.',
    (what) => `moved to ${what}: its external resource is the same`,
  ),
  'order-overruled': normal<OrderBroken>(
    'OverruledOrder',
    'A resource is dropped while its user by an order stays: it is deleted.',
    (what, {by, path}) =>
      `deleting ${what} although ${quoted(by)} stays: input.${path} orders deletions only if both leave`,
  ),
  'order-contradicted': warning<OrderBroken>(
    'ContradictedOrder',
    'An order puts two leaving resources before each other: they are deleted in no order.',
    (what, {by, path}) =>
      `deleting ${what} without waiting for ${quoted(by)}: input.${path} matches both by label and contradicts itself`,
  ),
  'config-leaves': warning<{readonly by: readonly string[]}>(
    'ConfigLeavesFirst',
    'A config or Secret leaves while a held resource may read it: name both in `order`.',
    (what, {by}) =>
      `letting ${what} go while ${list(by.map(quoted))}, which may read it, ${verb(by, 'is', 'are')} held; an order keeps it as long: in input.order, name it in \`of\` and ${verb(by, 'the held one', 'the held ones')} in \`by\``,
  ),
  'order-skipped': normal<{readonly path: string; readonly of: string}>(
    'SkippedOrder',
    'An order whose `when` is false was passed over.',
    (what, {of, path}) => `creating ${what} without waiting for ${quoted(of)}: input.${path}.when is false`,
  ),
  'name-unknown': warning<UnknownName>(
    'UnknownName',
    'No resource has the name, pattern, kind or label of a selector or pair. Mend it, or set `optional`.',
    (_, unknown) => unknownName(unknown),
  ),
  /** `lateInitializes` is false if the provider would never have saved it itself. */
  'external-name-saved': normal<{readonly lateInitializes: boolean}>(
    'SavedExternalName',
    'An external name was written from status.',
    (what, {lateInitializes}) =>
      `saving the external-name of ${what} from its status${
        lateInitializes ? '' : ': its managementPolicies leave out LateInitialize, so its provider never saves it'
      }`,
  ),
  'external-name-restored': normal(
    'RestoredExternalName',
    'An external name was put back from memory.',
    (what) => `restoring the external-name of ${what}, which was lost`,
  ),
  'external-names-unsealed': warning(
    'UnsealedExternalNames',
    'Without `--memory-key-file`, names that others may write are never put back.',
    () =>
      'remembering external-names for people alone: others may write where they are kept, so without --memory-key-file none is ever put back',
  ),
  'external-name-unproven': warning(
    'UnprovenExternalName',
    'A resource was created without its remembered name, whose seal is missing or wrong. If the name is right, write `crossplane.io/external-name` by hand.',
    (what) =>
      `creating ${what} without its remembered external-name: the entry has no valid seal, so anyone may have written it; set --memory-key-file, or annotate the resource by hand`,
  ),
  /** S3: the cloud names it, and its provider may never save the name. */
  'external-name-at-risk': warning(
    'ExternalNameAtRisk',
    'A provider that restarts before it saves the name creates the resource twice. Add LateInitialize, or `externalNames.from`.',
    (what) =>
      `creating ${what} without LateInitialize in its managementPolicies: a provider that restarts before its external-name is saved creates it twice`,
  ),
} satisfies {readonly [kind: string]: Row<never>};

type Rows = typeof events;
type Kind = keyof Rows;
type FactsOf<Of> = Of extends Row<infer Facts> ? ([Facts] extends [never] ? unknown : Facts) : never;

export type Transition = {
  readonly [K in Kind]: {readonly kind: K; readonly resourceName: string} & FactsOf<Rows[K]>;
}[Kind];

/** `decision`: the sentence of the decision about the same resource. */
export function eventSentence(transition: Transition, decision: () => string): string {
  const {sentence}: Row<never> = events[transition.kind];
  return sentence === undefined ? decision() : sentence(composed(transition.resourceName), transition as never);
}

/** Nothing of it is observed: the input has it itself. */
export function unknownName({path, part, name, among}: UnknownName): string {
  const regex = '(a regular expression for the whole name, as subnet-.*)';
  const ofRequired = {
    name: `names ${quoted(name)}, which the step does not require`,
    pattern: `has the pattern ${quoted(name)}, which matches no requirement of the step ${regex}`,
    kinds: `names ${name}, and nothing of that kind and group is required`,
    labels: `names the label ${name}, which nothing required carries`,
    selector: 'selects nothing: no requirement matches all its parts',
  };
  const ofXr = {
    ...ofRequired,
    name: `names ${quoted(name)}, and an XR has no resource name`,
    pattern: `has the pattern ${quoted(name)}, and an XR has no resource name`,
    kinds: `names ${name}, and the XR is of another kind`,
  };
  const ofResources = {
    name: `names ${quoted(name)}, which is neither desired nor observed`,
    pattern: `has the pattern ${quoted(name)}, which matches no resource name ${regex}`,
    kinds: `names ${name}, and nothing of that kind and group is desired or observed`,
    labels: `names the label ${name}, which nothing desired or observed carries`,
    selector: 'selects nothing: no resource matches all its parts',
  };
  if (among === 'rules') return `input.${path} ${ofResources.name}, so nothing moves by it`;
  const says = among === undefined ? ofResources : {required: ofRequired, xr: ofXr}[among];
  return `input.${path} ${says[part ?? 'name']}; if that is intended, set \`optional: true\` beside it`;
}
