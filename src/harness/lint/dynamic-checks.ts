// Checks a pipeline in an incomplete world: it is asked with everything observed, then with the status taken away, then with
// every required resource absent. A restore puts at risk whatever disappears from desired. The earlier steps are asked without
// function-tether; then the whole pipeline is asked the same, which shows whether function-tether keeps what the others leave
// out. No check reads the messages of a function, except warnings at rest, which lint repeats.

import {at, isList, isObject, type Json} from '../../cluster/json.ts';
import {conditionOf, groupKindOf, type KubeObject} from '../../cluster/object.ts';
import {resourceNameOf} from '../init/trial.ts';
import {addressOf} from '../render/fake-store.ts';
import {identifiedXr} from '../render/identified-xr.ts';
import type {Rendered} from '../render/reconcile-once.ts';
import type {AtRest, Pipeline, Question} from './at-rest.ts';
import {withoutGuard} from './composition-steps.ts';
import type {Finding, FindingClass} from './finding.ts';

export interface Asked {
  readonly pipeline: Pipeline;
  readonly composition: KubeObject;
  readonly rest: AtRest;
  readonly finding: (name: FindingClass, sentence: string) => Finding;
}

export async function dynamicFindings(asked: Asked): Promise<readonly Finding[]> {
  const {rest, finding} = asked;
  if (rest.problems.length > 0) return rest.problems.map((problem) => finding('does-not-compose', problem));
  const whole = await ask(asked, {});
  const steps = withoutGuard(asked.composition);
  const earlier = await ask(asked, {}, steps);
  if (earlier.error !== undefined) return [finding('does-not-compose', earlier.error)];
  const restored = await ask(asked, restoredWorld(rest), steps);
  return [
    ...(await gapsWithoutStatus(asked, namesIn(earlier), restored)),
    ...(await gapsWithoutRequired(asked, namesIn(earlier))),
    ...warningsAtRest(whole, finding),
    ...absentValues(earlier, restored, finding),
    ...objectFindings(earlier.composed, rest.xr, finding),
  ];
}

type Change = Partial<Pick<Question, 'xr' | 'observed' | 'others'>>;

function ask({pipeline, composition, rest}: Asked, change: Change, steps = composition): Promise<Rendered> {
  const {xr, observed, others} = rest;
  return pipeline.ask({composition: steps, xr, observed, others, ...change});
}

async function gapsWithoutStatus(
  asked: Asked,
  wanted: ReadonlySet<string>,
  restored: Rendered,
): Promise<readonly Finding[]> {
  const {rest, finding} = asked;
  const lost = missing(wanted, restored);
  if (lost.length === 0) return [];
  const kept = await keptByAll(asked, restoredWorld(rest));
  const causes = await causesOf(asked, wanted);
  return lost.map((name) => {
    const of = causes.get(name) ?? [];
    const whose = of.length === 0 ? 'several resources together' : of.join(' or ');
    const sentence = `"${name}" is not desired while the status of ${whose} is gone`;
    return finding(kept.has(name) ? 'status-gap-held' : 'status-gap', sentence);
  });
}

function restoredWorld({xr, observed}: AtRest): Change {
  return {xr: withoutStatus(xr), observed: observed.map(restored)};
}

/** Fields that are absent, as Go prints them: at rest, and while every status is gone. */
function absentValues(earlier: Rendered, restored: Rendered, finding: Asked['finding']): readonly Finding[] {
  const always = placesWithoutValue(earlier);
  const meanwhile = placesWithoutValue(restored).filter((one) => !always.includes(one));
  return [
    ...always.map((one) => finding('no-value-at-rest', one)),
    ...meanwhile.map((one) => finding('no-value', `${one} while a status is gone`)),
  ];
}

function placesWithoutValue({composed, error}: Rendered): readonly string[] {
  // A failing pipeline changes nothing.
  if (error !== undefined) return [];
  return composed.flatMap((one) =>
    pathsWithoutValue(one, '').map((path) => `"${resourceNameOf(one)}" has "<no value>" in ${path.slice(1)}`),
  );
}

function pathsWithoutValue(value: Json, path: string): readonly string[] {
  if (isList(value)) return value.flatMap((item, index) => pathsWithoutValue(item, `${path}[${index}]`));
  if (isObject(value)) return Object.entries(value).flatMap(([key, of]) => pathsWithoutValue(of, `${path}.${key}`));
  return typeof value === 'string' && value.includes('<no value>') ? [path] : [];
}

/** One reconcile adopts, the next one might release: by the third, what is kept stays until the world changes. */
const reconciles = 3;

/** The resources that the whole pipeline desires in each of several reconciles without any change by a provider. */
async function keptByAll(asked: Asked, change: Change): Promise<ReadonlySet<string>> {
  let observed = change.observed ?? asked.rest.observed;
  let kept = new Set(observed.map(resourceNameOf));
  for (let count = 0; count < reconciles; count++) {
    const rendered = await ask(asked, {...change, observed});
    if (rendered.error !== undefined) return kept;
    const names = namesIn(rendered);
    kept = new Set([...kept].filter((name) => names.has(name)));
    observed = observed.flatMap((object) => appliedOver(object, rendered.composed));
  }
  return kept;
}

/** The object after the reconcile, with the metadata that it applied; none if it was let go. */
function appliedOver(object: KubeObject, composed: readonly KubeObject[]): readonly KubeObject[] {
  const applied = composed.find((one) => resourceNameOf(one) === resourceNameOf(object));
  if (applied === undefined) return [];
  const {labels, annotations, ownerReferences} = applied.metadata;
  const metadata = {
    ...object.metadata,
    labels: {...object.metadata.labels, ...labels},
    annotations: {...object.metadata.annotations, ...annotations},
    ...(ownerReferences && {ownerReferences}),
  };
  return [{...object, metadata}];
}

/** For each resource that disappears: whose status alone makes it disappear. */
async function causesOf(asked: Asked, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, readonly string[]>> {
  const {rest, composition} = asked;
  const causes = new Map<string, string[]>();
  const steps = withoutGuard(composition);
  const note = (rendered: Rendered, cause: string) => {
    for (const name of missing(wanted, rendered)) causes.set(name, [...(causes.get(name) ?? []), cause]);
  };
  for (const one of rest.observed.filter(({status}) => status !== undefined)) {
    const observed = rest.observed.map((other) => (other === one ? withoutStatus(other) : other));
    note(await ask(asked, {observed}, steps), `"${resourceNameOf(one)}"`);
  }
  note(await ask(asked, {xr: withoutStatus(rest.xr)}, steps), 'the XR');
  return causes;
}

/** A pipeline that fails without a required resource changes nothing, so nothing is lost then. */
async function gapsWithoutRequired(asked: Asked, wanted: ReadonlySet<string>): Promise<readonly Finding[]> {
  const {composition, finding} = asked;
  const none: Change = {others: []};
  const earlier = await ask(asked, none, withoutGuard(composition));
  if (earlier.error !== undefined) return [];
  const lost = missing(wanted, earlier);
  if (lost.length === 0) return [];
  const kept = await keptByAll(asked, none);
  const gone = lost.filter((name) => !kept.has(name));
  return gone.map((name) =>
    finding('required-gap', `"${name}" is not desired while every required resource is absent`),
  );
}

/** The condition and the events of the pipeline with everything observed and Ready. */
function warningsAtRest({xr, events, error}: Rendered, finding: Asked['finding']): readonly Finding[] {
  if (error !== undefined) return [finding('does-not-compose', error)];
  const tethered = conditionOf(xr, 'Tethered');
  const said = tethered?.status === 'False' ? [`Tethered=False ${tethered.reason}: ${tethered.message ?? ''}`] : [];
  const warned = events
    .filter(({type, reason}) => type === 'Warning' && reason !== 'ComposeResources')
    .map(({reason, message}) => `${reason}: ${message}`);
  return [...new Set([...said, ...warned])].map((sentence) => finding('function-warning', sentence));
}

/** Of the first reconcile, before anything is observed: two resources that desire one object never come to rest. */
export async function firstFindings(
  {pipeline, composition, finding}: Omit<Asked, 'rest'>,
  xr: KubeObject,
  others: readonly KubeObject[],
): Promise<readonly Finding[]> {
  const {composed} = await pipeline.ask({composition, xr: identifiedXr(xr), observed: [], others});
  return objectFindings(composed, xr, finding).filter((one) => one.class === 'same-object');
}

function objectFindings(
  composed: readonly KubeObject[],
  xr: KubeObject,
  finding: Asked['finding'],
): readonly Finding[] {
  const byAddress = Map.groupBy(composed, addressOf);
  const shared = [...byAddress.values()].filter((objects) => objects.length > 1);
  return [
    ...shared.map((objects) =>
      finding('same-object', `${objects.map((one) => `"${resourceNameOf(one)}"`).join(' and ')} desire one object`),
    ),
    ...composed
      .filter((one) => isUsageByXr(one, xr))
      .map((one) => finding('usage-by-own-xr', `"${resourceNameOf(one)}" waits for ${xr.kind}, which composes it`)),
  ];
}

function isUsageByXr(object: KubeObject, xr: KubeObject): boolean {
  if (!/^(?:Cluster)?Usage\.(?:protection|apiextensions)\.crossplane\.io$/.test(groupKindOf(object))) return false;
  const by = object.spec?.['by'];
  return at(by, ['kind']) === xr.kind && at(by, ['resourceRef', 'name']) === xr.metadata.name;
}

function missing(wanted: ReadonlySet<string>, rendered: Rendered): readonly string[] {
  // A failing pipeline changes nothing.
  if (rendered.error !== undefined) return [];
  const names = namesIn(rendered);
  return [...wanted].filter((name) => !names.has(name)).sort();
}

function namesIn({composed}: Rendered): ReadonlySet<string> {
  return new Set(composed.map(resourceNameOf));
}

/** As Velero restores a composed resource: without status and without owners. */
function restored(object: KubeObject): KubeObject {
  const {ownerReferences: _, ...metadata} = object.metadata;
  return withoutStatus({...object, metadata});
}

function withoutStatus({status: _, ...object}: KubeObject): KubeObject {
  return object;
}
