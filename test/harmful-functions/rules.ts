// Functions that misread the rules of an input: the last of a list, a policy, one name of a selector, the words of other functions.

import {at, isList, isObject, type JsonObject} from '../../src/cluster/json.ts';
import type {KubeObject} from '../../src/cluster/object.ts';
import {bare, type Call, isManaged, isTrue, isUsage, withField} from './answer.ts';
import {annotated, droppedIn, named, plain} from './rare.ts';
import {each, type Harmful} from './row.ts';
import {asking, inPart, throughout} from './words.ts';

/** The annotation of an XR by which a person confirms removals. */
export const confirmation = 'tether.fn.crossplane.io/confirm-removal';

/** The object without a field. */
export const leavesOut =
  (field: string) =>
  ({[field]: _, ...rest}: JsonObject): JsonObject =>
    rest;

/** Some of the rules of a list of the input. */
const some = (name: string, breaks: string, story: string, part: string, from: number, to?: number): Harmful =>
  asking(name, breaks, story, (input) => {
    const {[part]: all} = input;
    return isList(all) ? {...input, [part]: all.slice(from, to)} : input;
  });

const without = (name: string, story: string, part: string, word: string): Harmful =>
  asking(name, `reads no ${word} of ${part}`, story, inPart(part, leavesOut(word)));

const words: readonly Harmful[] = [
  without('ignores-the-budget', 'budgets', 'removal', 'budget'),
  without('ignores-removal-policies', 'removal', 'removal', 'policies'),
  without('names-no-kinds-of-readiness', 'lists', 'resources', 'readyWhen'),
  without('moves-though-dry', 'dry-rules', 'handover', 'dryRun'),
  without('takes-though-dry', 'dry-rules', 'take', 'dryRun'),
  without('gives-though-dry', 'dry-rules', 'give', 'dryRun'),
  without('deletes-only-by-order', 'half-orders', 'order', 'deleteOnly'),
  without('forgets-names', 'external-names', 'externalNames', 'remember'),
  without('looks-nothing-up', 'lost-and-dropped', 'restore', 'lookup'),
  without('protects-no-resources', 'protect', 'protect', 'resources'),
  without('protects-each-xr', 'xr-alone', 'protect', 'xr'),
  some('drops-the-last-order', 'reads all orders but the last', 'lists', 'order', 0, -1),
  some('reads-the-first-order', 'reads the first order alone', 'lists', 'order', 0, 1),
  some('drops-the-last-usage', 'reads all usages but the last', 'lists', 'usages', 0, -1),
  some('makes-the-first-template', 'reads the first template alone', 'lists', 'resources', 0, 1),
  some('drops-the-last-template', 'reads all templates but the last', 'lists', 'resources', 0, -1),
  asking(
    'reads-the-first-policy',
    'reads the first removal policy alone',
    'removal',
    inPart('removal', (one) => (isList(one['policies']) ? {...one, policies: one['policies'].slice(0, 1)} : one)),
  ),
  asking(
    'reads-the-last-policy',
    'reads the removal policies from the last on',
    'policies',
    inPart('removal', (one) => (isList(one['policies']) ? {...one, policies: one['policies'].toReversed()} : one)),
  ),
  asking('moves-no-kinds', 'reads no rule of handover to another kind', 'kind-moved', (input) => ({
    ...input,
    ...(isList(input['handover']) && {
      handover: input['handover'].filter((one) => at(one, ['to', 'resource']) !== undefined),
    }),
  })),
  asking(
    'takes-under-one-name',
    'has a resource keep its name in another XR',
    'exchange',
    inPart('take', (rule) => ({
      ...rule,
      resources: (isList(rule['resources']) ? rule['resources'] : []).map((one) =>
        leavesOut('there')(one as JsonObject),
      ),
    })),
  ),
  asking(
    'takes-from-no-namespace',
    'reads no namespace of another XR',
    'namesakes',
    inPart('take', (rule) => ({
      ...rule,
      from: leavesOut('namespace')((rule['from'] ?? {}) as JsonObject),
    })),
  ),
  asking(
    'rounds-budgets-up',
    'rounds the percents of a budget up',
    'budgets',
    throughout((one) =>
      typeof one['percent'] === 'number' ? {...one, percent: Math.min(100, one['percent'] + 20)} : one,
    ),
  ),
  asking('ignores-the-sequencer', 'reads no rules of function-sequencer', 'dialects', (input) =>
    String(input['apiVersion']).startsWith('sequencer') ? {...input, rules: []} : input,
  ),
  asking('sequences-no-deletion', 'reads no enableDeletionSequencing', 'dialects', (input) =>
    String(input['apiVersion']).startsWith('sequencer') ? {...input, enableDeletionSequencing: false} : input,
  ),
  asking('ignores-deletion-protection', 'reads no input of function-deletion-protection', 'dialects', (input) =>
    String(input['apiVersion']).startsWith('protection')
      ? {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input'}
      : input,
  ),
  asking('ignores-orders-beside-templates', 'reads no order beside templates', 'lists', (input) =>
    isList(input['resources']) ? leavesOut('order')(input) : input,
  ),
  asking('ignores-protect-beside-removal', 'reads no protect beside removal', 'policies', (input) =>
    input['removal'] !== undefined ? leavesOut('protect')(input) : input,
  ),
];

const policy = (name: string, breaks: string, from: string, to: string): Harmful =>
  asking(
    name,
    breaks,
    'policies',
    throughout((one) => (one['policy'] === from ? {...one, policy: to} : one)),
  );

const policies: readonly Harmful[] = [
  policy('deletes-what-is-to-be-orphaned', 'takes Orphan for Delete', 'Orphan', 'Delete'),
  policy('deletes-what-is-to-be-retained', 'takes Retain for Delete', 'Retain', 'Delete'),
  policy('believes-no-confirmation', 'takes Confirm for Retain', 'Confirm', 'Retain'),
  policy('retains-what-is-to-be-deleted', 'takes Delete for Retain', 'Delete', 'Retain'),
  policy('confirms-what-is-to-be-orphaned', 'takes Orphan for Confirm', 'Orphan', 'Confirm'),
  plain('orphans-what-is-confirmed', 'has what is confirmed orphaned by one more call', 'policies', (call) => {
    const confirmed = (call.xr.metadata.annotations?.[confirmation] ?? '').split(',');
    for (const name of droppedIn(call)) {
      const one = call.observed.get(name) as KubeObject;
      const kept = ['Observe', 'Create', 'Update', 'LateInitialize'];
      if (
        confirmed.includes(name) &&
        isManaged(one) &&
        JSON.stringify(one.spec?.['managementPolicies']) !== JSON.stringify(kept)
      )
        call.answer.resources.set(name, {
          object: withField(bare(one), ['spec', 'managementPolicies'], kept),
          ready: 'true',
        });
    }
  }),
  plain('drops-what-it-keeps-on-an-edit', 'drops all that it keeps once the XR is edited', 'policies', (call) => {
    if (call.xr.spec?.['size'] !== 'small') for (const name of droppedIn(call)) call.answer.resources.delete(name);
  }),
  plain('edits-nothing-while-it-keeps', 'desires what is observed while it keeps something', 'policies', (call) => {
    if (!droppedIn(call).some((name) => call.answer.resources.has(name))) return;
    each(call.answer, isManaged, (one, name) => {
      const spec = call.observed.get(name)?.spec;
      return spec === undefined ? one : {...one, spec};
    });
  }),
  plain(
    'edits-only-what-is-ready',
    'desires what is observed of what is not Ready',
    'unready-edited',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const old = observed.get(name);
        return old?.spec === undefined || isTrue(old, 'Ready') ? one : {...one, spec: old.spec};
      });
    },
  ),
  plain('names-in-the-cloud', 'names what is new in the cloud after its XR', 'one-name', ({xr, observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const has = observed.get(name)?.metadata.annotations?.[named] ?? one.metadata?.annotations?.[named];
      return annotated(one, named, has ?? `${xr.metadata.name}-${name}`);
    });
  }),
  plain(
    'empties-fields-of-others',
    'empties fields of others in forProvider',
    'others-fields',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const has = observed.get(name)?.spec?.['forProvider'];
        const own = one.spec?.['forProvider'];
        if (!isObject(has) || !isObject(own)) return one;
        const others = Object.entries(has).filter(([key]) => own[key] === undefined && key !== 'size');
        const empty = others.map(([key, value]) => [key, typeof value === 'number' ? 0 : '']);
        return withField(one, ['spec', 'forProvider'], {...own, ...Object.fromEntries(empty)});
      });
    },
  ),
];

const isProtection = ({spec}: KubeObject): boolean => spec?.['by'] === undefined;
/** Leaves Usages out in some calls. */
const unprotecting = (
  name: string,
  breaks: string,
  story: string,
  is: (call: Call, usage: KubeObject) => boolean,
): Harmful =>
  plain(name, breaks, story, (call) => {
    for (const [key, {object}] of [...call.answer.resources])
      if (isUsage(object) && is(call, object)) call.answer.resources.delete(key);
  });

const usages: readonly Harmful[] = [
  unprotecting(
    'protects-nothing-on-a-drop',
    'protects nothing while something is dropped',
    'policies',
    (call, usage) => isProtection(usage) && droppedIn(call).length > 0,
  ),
  unprotecting(
    'protects-until-an-edit',
    'protects nothing once the XR is edited',
    'policies',
    ({xr}, usage) => isProtection(usage) && xr.spec?.['size'] !== 'small',
  ),
  unprotecting(
    'uses-until-ready',
    'makes no Usages of an order once the XR is Ready',
    'usages-by-hand',
    ({xr}, usage) => !isProtection(usage) && isTrue(xr, 'Ready'),
  ),
  asking(
    'protects-never-the-xr',
    'protects no XR',
    'xr-alone',
    inPart('protect', (one) => ({...leavesOut('xrMatch')(one), xr: 'Never'})),
  ),
  some('gives-by-the-first-rule', 'reads the first rule of give alone', 'exchange-of-two', 'give', 0, 1),
  some('takes-by-the-first-rule', 'reads the first rule of take alone', 'exchange-of-two', 'take', 0, 1),
  asking(
    'takes-one-of-a-rule',
    'reads the first resource of each rule of take',
    'exchange-of-two',
    inPart('take', (rule) => ({
      ...rule,
      ...(isList(rule['resources']) && {resources: rule['resources'].slice(0, 1)}),
    })),
  ),
  asking(
    'selects-one-by-name',
    'reads the first name of a selector alone',
    'many-names',
    throughout((one) =>
      isList(one['resources']) && typeof one['resources'][0] === 'string'
        ? {...one, resources: one['resources'].slice(0, 1)}
        : one,
    ),
  ),
  asking(
    'selects-by-one-label',
    'reads the first label of a selector alone',
    'many-names',
    throughout((one) => (isList(one['labels']) ? {...one, labels: one['labels'].slice(0, 1)} : one)),
  ),
  asking(
    'reads-no-kinds',
    'reads no kinds in selectors',
    'many-names',
    throughout((one) => (isList(one['kinds']) && one['lookup'] === undefined ? leavesOut('kinds')(one) : one)),
  ),
];

export const rules: readonly Harmful[] = [...words, ...policies, ...usages];
