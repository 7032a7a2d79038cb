// Functions that harm where one thing comes together with another: one kind, one selector, one moment.

import {isObject, type JsonObject} from '../../src/cluster/json.ts';
import {isDeleting, type KubeObject} from '../../src/cluster/object.ts';
import {type Call, isManaged, isTrue, isUsage, isXr, withField} from './answer.ts';
import {each, type Harmful, row} from './row.ts';
import {remembering} from './subtle.ts';

/** The kinds of the two ends of a Usage. */
function endsOf({spec}: KubeObject): readonly (string | undefined)[] {
  return ['of', 'by'].map((end) => {
    const one = spec?.[end];
    return isObject(one) ? String(one['kind']) : undefined;
  });
}

/** Leaves out the Usages between such kinds; `by` is undefined in a protection. */
function droppingUsages(
  name: string,
  breaks: string,
  story: string,
  is: (of: string | undefined, by: string | undefined, call: Call) => boolean,
): Harmful {
  return row(name, breaks, 'relax-first', story, (call) => {
    for (const [key, {object}] of [...call.answer.resources]) {
      const [of, by] = endsOf(object);
      if (isUsage(object) && is(of, by, call)) call.answer.resources.delete(key);
    }
  });
}

const isDropped = ({observed, desired}: Call): boolean =>
  [...observed].some(([name, one]) => !isUsage(one) && !desired.has(name));

const usages: readonly Harmful[] = [
  droppingUsages(
    'uses-no-nested-xr',
    'makes no Usage of a nested XR',
    'nested',
    (of, by) => isXr({kind: of ?? ''}) && by !== undefined,
  ),
  droppingUsages(
    'uses-only-on-a-drop',
    'makes Usages only once a resource is dropped',
    'usages-by-hand',
    (_, by, call) => by !== undefined && !isDropped(call),
  ),
  droppingUsages(
    'leaves-the-xr-open',
    'makes no Usage of the XR itself',
    'protected-xr',
    (of, by) => isXr({kind: of ?? ''}) && by === undefined,
  ),
  row('replays-deletions', 'has every Usage replay a denied deletion', 'relax-first', 'denied', ({answer}) => {
    each(answer, isUsage, (one) => withField(one, ['spec', 'replayDeletion'], true));
  }),
];

const moments: readonly Harmful[] = [
  row('nested-is-ready', 'says of each nested XR that it is ready', 'found-by-label', 'nested-unready', ({answer}) => {
    for (const [name, one] of answer.resources)
      if (isXr(one.object)) answer.resources.set(name, {...one, ready: 'true'});
  }),
  row(
    'keeps-all-after-a-restore',
    'keeps what is dropped in an XR that Velero brought back',
    'restore-in-progress',
    'restored-dropped',
    ({xr, observed, desired, answer}) => {
      if (xr.metadata.labels?.['velero.io/restore-name'] === undefined) return;
      for (const [name, {apiVersion, kind, metadata, spec = {}}] of observed)
        if (!desired.has(name))
          answer.resources.set(name, {
            object: {apiVersion, kind, metadata: {name: metadata.name}, spec},
            ready: 'true',
          });
    },
  ),
  row('composes-no-claims', 'desires nothing of an XR that a claim has', 'renamed', 'claimed', ({xr, answer}) => {
    if (xr.spec?.['claimRef'] !== undefined) answer.resources.clear();
  }),
  row(
    'unprotects-what-fails',
    'makes no Usage of what is not Ready',
    'relax-first',
    'unavailable',
    ({observed, answer}) => {
      const failing = [...observed.values()].filter((one) => isManaged(one) && !isTrue(one, 'Ready'));
      const names = failing.map(({metadata}) => metadata.name);
      for (const [key, {object}] of [...answer.resources]) {
        const of = isObject(object.spec?.['of']) ? object.spec['of']['resourceRef'] : undefined;
        if (isUsage(object) && isObject(of) && names.includes(String(of['name']))) answer.resources.delete(key);
      }
    },
  ),
  row(
    'is-ready-while-deleting',
    'says of what is being deleted that it is ready',
    'handover',
    'deleted-unavailable',
    ({observed, answer}) => {
      for (const [name, one] of answer.resources) {
        const old = observed.get(name);
        if (old !== undefined && isDeleting(old)) answer.resources.set(name, {...one, ready: 'true'});
      }
    },
  ),
  row(
    'forgives-pending-creates',
    'empties the mark of a create whose outcome is unknown',
    'create-pending',
    'interrupted',
    ({answer}) => {
      const mark = 'crossplane.io/external-create-pending';
      each(answer, isManaged, (one) => withField(one, ['metadata', 'annotations', mark], ''));
    },
  ),
  remembering(
    ['deletes-what-fails', 'drops what was Ready once and is not', 'stale-controller', 'unavailable'],
    () => new Set<string>(),
    ({observed, answer}, ready) => {
      for (const [name, one] of observed) {
        const {uid = ''} = one.metadata;
        if (isTrue(one, 'Ready')) ready.add(uid);
        else if (ready.has(uid)) answer.resources.delete(name);
      }
    },
  ),
  remembering(
    ['stays-ready', 'says of what was ready once that it is', 'found-by-label', 'unavailable'],
    () => new Set<string>(),
    ({observed, answer}, ready) => {
      for (const [name, one] of answer.resources) {
        const {uid = ''} = observed.get(name)?.metadata ?? {};
        if (observed.has(name) && isTrue(observed.get(name) as KubeObject, 'Ready')) ready.add(uid);
        if (ready.has(uid)) answer.resources.set(name, {...one, ready: 'true'});
      }
    },
  ),
  remembering(
    ['sticks-to-a-spec', 'desires the spec that it saw first', 'kind-changed', 'edit'],
    () => new Map<string, JsonObject>(),
    ({xr, answer}, first) => {
      each(answer, isManaged, (one, name) => {
        const key = `${xr.metadata.uid} ${name}`;
        const spec = first.get(key) ?? (one.spec as JsonObject);
        first.set(key, spec);
        return {...one, spec};
      });
    },
  ),
  remembering(
    ['sticks-to-an-external-name', 'writes the external name that it saw first', 'taking-over', 'remade'],
    () => new Map<string, string>(),
    ({xr, observed, answer}, first) => {
      each(answer, isManaged, (one, name) => {
        const key = `${xr.metadata.name} ${name}`;
        const has = observed.get(name)?.metadata.annotations?.['crossplane.io/external-name'];
        if (has !== undefined && !first.has(key)) first.set(key, has);
        const known = first.get(key);
        return known === undefined
          ? one
          : withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], known);
      });
    },
  ),
];

const values: readonly Harmful[] = [
  row('caps-replicas', 'makes three replicas of more', 'unwritable', 'replicas', ({answer}) => {
    each(answer, isManaged, (one) =>
      Number((one.spec?.['forProvider'] as JsonObject | undefined)?.['replicas'] ?? 0) > 3
        ? withField(one, ['spec', 'forProvider', 'replicas'], 3)
        : one,
    );
  }),
  row('adds-a-field', 'desires a field that no step desires', 'adopt-first', 'living', ({answer}) => {
    each(answer, isManaged, (one) =>
      one.kind === 'Bucket' ? withField(one, ['spec', 'forProvider', 'size'], 'huge') : one,
    );
  }),
  remembering(
    ['keeps-labels', 'desires every label and annotation that it once desired', 'adopt-first', 'field-removed'],
    () => new Map<string, JsonObject>(),
    ({xr, answer}, known) => {
      each(answer, isManaged, (one, name) => {
        const key = `${xr.metadata.uid} ${name}`;
        const {labels = {}, annotations = {}} = one.metadata;
        const before = (known.get(key) ?? {}) as {readonly labels?: JsonObject; readonly annotations?: JsonObject};
        const all = {labels: {...before.labels, ...labels}, annotations: {...before.annotations, ...annotations}};
        known.set(key, all);
        return {...one, metadata: {...one.metadata, ...all}} as KubeObject;
      });
    },
  ),
  row('copies-labels', 'gives each resource the labels of all', 'adopt-first', 'field-removed', ({desired, answer}) => {
    const all = Object.assign({}, ...[...desired.values()].map(({metadata}) => metadata?.labels ?? {}));
    each(answer, isManaged, (one) => withField(one, ['metadata', 'labels'], {...all, ...one.metadata.labels}));
  }),
  row('forgets-readiness', 'leaves out what steps say of readiness', 'found-by-label', 'living', ({answer}) => {
    for (const [name, one] of answer.resources) answer.resources.set(name, {...one, ready: 'unspecified'});
  }),
  row('ignores-new-labels', 'has labels as they are observed', 'unwritable', 'relabelled', ({observed, answer}) => {
    each(answer, isManaged, (one, name) => {
      const labels = observed.get(name)?.metadata.labels;
      const own = one.metadata.labels ?? {};
      if (labels === undefined) return one;
      const kept = Object.fromEntries(
        Object.keys(own).flatMap((key) => (key in labels ? [[key, labels[key] as string]] : [])),
      );
      return withField(one, ['metadata', 'labels'], kept);
    });
  }),
  row(
    'empties-annotations',
    'empties every annotation of others',
    'adopt-first',
    'others-annotations',
    ({observed, answer}) => {
      each(answer, isManaged, (one, name) => {
        const others = Object.keys(observed.get(name)?.metadata.annotations ?? {}).filter(
          (key) => !key.includes('/') && one.metadata.annotations?.[key] === undefined,
        );
        const empty = Object.fromEntries(others.map((key) => [key, '']));
        return others.length === 0
          ? one
          : withField(one, ['metadata', 'annotations'], {...one.metadata.annotations, ...empty});
      });
    },
  ),
  row(
    'trusts-the-status',
    'takes external names from the status of the XR',
    'taking-over',
    'planted',
    ({xr, answer}) => {
      const names = xr.status?.['externalNames'];
      each(answer, isManaged, (one, name) => {
        const known = isObject(names) ? names[name] : undefined;
        return typeof known !== 'string'
          ? one
          : withField(one, ['metadata', 'annotations', 'crossplane.io/external-name'], known);
      });
    },
  ),
];

export const partial: readonly Harmful[] = [...usages, ...moments, ...values];
