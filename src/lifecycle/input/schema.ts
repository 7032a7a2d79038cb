// The one schema of the input: the validator, the TypeScript types and the CRD in package/input are all made of it.

import type {ObjectSchema, Schema} from './validate.ts';

export const inputGroup = 'tether.fn.crossplane.io';
export const inputVersion = 'v1beta1';
export const inputKind = 'Input';

const durationPattern = '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$';

/** Of the inputs of the functions that this one replaces. */
export const fieldsOfDialects = {
  apiVersion: {type: 'string', description: 'Its version.'},
  kind: {type: 'string', enum: ['Input'], description: 'Its kind.'},
  metadata: {type: 'object', open: true, properties: {}, description: 'Not read.'},
  cacheTTL: {type: 'string', pattern: durationPattern, description: 'TTL of answers.'},
} as const;

// Each builder keeps the literal types of what it is given: the type of the input is made of them (validate.ts).
type Properties = ObjectSchema['properties'];
export const flag = (description: string) => ({type: 'boolean', description}) as const;
const text = (description: string) => ({type: 'string', minLength: 1, description}) as const;
const expression = (description: string) => ({type: 'string', minLength: 1, maxLength: 2048, description}) as const;
export const list = <const Of extends Schema>(description: string, items: Of) =>
  ({type: 'array', description, items}) as const;
const listOf = <const Of extends Schema>(minItems: number, description: string, items: Of) =>
  ({type: 'array', minItems, description, items}) as const;
export const record = <const Of extends Properties>(description: string, properties: Of) =>
  ({type: 'object', description, properties}) as const;
const needing = <const Of extends Properties, const Name extends keyof Of & string>(
  required: readonly Name[],
  description: string,
  properties: Of,
) => ({type: 'object', description, required, properties}) as const;

const kindReference = needing(['apiVersion', 'kind'], 'A kind of composed resource.', {
  apiVersion: text('Such as ec2.aws.m.upbound.io/v1beta1.'),
  kind: text('Such as VPC.'),
});

const selector = record('Which composed resources: those for which all given fields hold. All, without a field.', {
  resources: listOf(
    1,
    'Resource names. A name, pattern, kind or label that no desired or observed resource has decides nothing, and the condition reports it.',
    text('A resource name.'),
  ),
  optional: flag('Do not report in the condition that it matches nothing. Off unless set.'),
  pattern: {
    type: 'string',
    maxLength: 1000,
    holdsRegex: true,
    description: 'A regular expression of Go that matches the whole resource name: subnet-.* and not subnet.',
  },
  kinds: listOf(1, 'Kinds, compared by group and kind.', kindReference),
  labels: listOf(
    1,
    'Labels, all of them on the resource.',
    needing(['key', 'value'], 'One label.', {
      key: text('Key of the label.'),
      value: {type: 'string', description: 'Value of the label.'},
      ignoreCase: flag('Compare without regard to case. Off unless set.'),
    }),
  ),
});

const externalNames = record('Makes external names durable, so that no cloud resource is created twice.', {
  from: list(
    'Rules for kinds whose name the cloud chooses: the field of status that has it. It is written once the resource is ready and has no name. The first rule that matches counts.',
    needing(['path'], 'One rule.', {
      match: selector,
      path: {
        type: 'string',
        pattern: '^status(\\.[^.]+)+$',
        description: 'Field names joined by dots: status.atProvider.id.',
      },
    }),
  ),
  remember: needing(
    ['in'],
    'Remember names outside the managed resources, and put lost ones back. Never over a newer name.',
    {
      in: {
        type: 'string',
        enum: ['Status', 'ConfigMap'],
        description:
          "Status: a field of the XR's status, which the XRD has to declare (type object, x-kubernetes-preserve-unknown-fields). ConfigMap: a composed ConfigMap, which a backup keeps; Crossplane 2 only, with the right to write ConfigMaps. Others may write the status and the namespace of a namespaced XR, so names there need a seal by the key of --memory-key-file.",
      },
      field: {
        type: 'string',
        pattern: '^[A-Za-z][A-Za-z0-9]*$',
        description: 'With Status: the field. externalNames unless set.',
      },
      namespace: text('With ConfigMap and a cluster-scoped XR: its namespace.'),
    },
  ),
});

const order = list(
  'Orders of creation and deletion, each as `sequence` or as `of` and `by`. A nested XR exists until what it composes is gone. Also name what a held resource reads, such as a ConfigMap or ProviderConfig: an order does not keep it. A cycle is an error.',
  record('One order.', {
    sequence: listOf(
      2,
      'Steps. Resources of a step are created once all earlier steps are ready, and deleted before those.',
      selector,
    ),
    of: {...selector, description: 'What is used: created first, deleted last.'},
    by: {...selector, description: 'What uses it: created after, deleted before.'},
    when: expression(
      'CEL over xr, resources, context, required, observed and desired. While it is false, creation does not wait for this order; existing resources are still deleted in order. An error, such as an absent field (ask has() first), counts as true, and the condition reports it.',
    ),
    waitFor: {
      type: 'string',
      enum: ['Observed', 'Desired'],
      description:
        'Observed (default): a resource counts once it is observed and ready, a ConfigMap, Secret or ProviderConfig once observed; a step that selects nothing is passed over. Desired, as in function-sequencer: it counts once an earlier function marks it ready; a step that selects nothing desired is waited for.',
    },
    createOnly: flag('Creation only: no Usages.'),
    deleteOnly: flag('Deletion only: nothing waits to be created.'),
    replayDeletion: flag('Repeat a denied deletion as soon as the Usage is gone. False unless set.'),
  }),
);

const protectReason = text('The reason that Crossplane shows when it denies a deletion.');

const protect = record(
  'Usages without `by`: the API server denies a deletion while the resource is selected, but not the deletion of its whole namespace. The XR is protected too, unless `xr` is Never: then a deletion of the XR deletes its Usages and the protected resources. A protected resource that the earlier steps drop is held. A move keeps it protected throughout.',
  {
    resources: list(
      'What to protect, by the desired or the observed resource.',
      record('One rule.', {
        match: selector,
        reason: protectReason,
      }),
    ),
    required: list(
      'Objects to protect that the step only requires. An XR in a namespace protects only those in it. Names are those of the requirements; ops.crossplane.io/watched-resource is the object of a WatchOperation.',
      record('One rule. The first that matches counts.', {match: selector, reason: protectReason}),
    ),
    xr: {
      type: 'string',
      enum: ['WithResources', 'Always', 'Never'],
      description:
        'Whether the XR is protected: WithResources (default), while any resource is; Never, and deleting the XR ends every protection.',
    },
    xrMatch: {...selector, description: 'Protect the XR, too, if it matches.'},
  },
);

const removal = record(
  'Policies for resources that the earlier steps no longer desire. By default they are deleted in the order of the Usages.',
  {
    policies: list(
      'The first policy that matches the observed object counts.',
      needing(['policy'], 'One policy.', {
        match: selector,
        policy: {
          type: 'string',
          enum: ['Delete', 'Orphan', 'Retain', 'Confirm'],
          description:
            'Delete: in order. Orphan: the object goes, its external resource stays. Retain: both stay. Confirm: both stay until the annotation tether.fn.crossplane.io/confirm-removal of the XR names it (names separated by commas, or a JSON list; NAME@UID means that object alone).',
        },
      }),
    ),
    budget: record(
      'How much may leave at once: dropped, replaced by another kind, or being deleted, and still known to the XR. If more would leave, all of it is held, so that a broken earlier step cannot wipe an XR. Confirmed ones leave and count. Usages, and those that stay anyway, do not.',
      {
        resources: {type: 'integer', minimum: 0, description: 'At most this number.'},
        percent: {
          type: 'integer',
          minimum: 0,
          maximum: 100,
          description: 'At most this percentage of the observed resources.',
        },
      },
    ),
  },
);

const resources = list(
  'Composed resources from templates. A string of `base` may hold ${...}: CEL over xr, resources.<name> (as observed), context and required. A reader of resources.<name> is created after it and deleted before it. If a value is absent or does not fit, the resource waits, or stays as it is.',
  needing(['name', 'base'], 'One template.', {
    name: text('Resource name, which no earlier step desires.'),
    base: {
      type: 'object',
      open: true,
      preserved: true,
      properties: {},
      description:
        'The object. apiVersion and kind are literal. Before 2.2 one without metadata.name is named after the XR. A string that is one ${...} takes its value and type; null leaves the field out; in a longer string values are text. $${ is a plain ${.',
    },
    include: expression('CEL: whether the resource is wanted. If not, it leaves as the removal policies say.'),
    readyWhen: expression(
      'CEL, also over self (the observed object): whether the resource is ready. Its condition Ready unless set. Readers of the resource are created once it is ready.',
    ),
  }),
);

const handover = list(
  'Moves of composed resources to another resource name or kind. Their external resources stay. The first rule that fits counts; without one a noticed move is refused.',
  needing(['from', 'to'], 'One rule.', {
    from: {
      ...selector,
      description: 'The old objects, as observed, by their old resource names.',
    },
    to: {
      type: 'object',
      description: 'What they become. Fields that are not given stay.',
      minProperties: 1,
      properties: {
        resource: text(
          'Another resource name, which an earlier step desires in place of the old one. Then `from` selects one object.',
        ),
        apiVersion: text('Another group, in any version: ec2.aws.m.upbound.io/v1beta1.'),
        kind: text('Another kind.'),
      },
    },
    externalName: expression(
      'CEL over self (the old object) and xr: the new external name, if the providers write it differently. Without it, status.atProvider.id and arn have to be the same, too, if both have them.',
    ),
    dryRun: flag('Only report in the condition what would be moved.'),
  }),
);

const otherXr = needing(
  ['apiVersion', 'kind', 'name'],
  'The other XR. `name` and `namespace` may hold ${...}: CEL over xr. If the name comes to nothing, the rule is not about this XR.',
  {
    apiVersion: text('Such as platform.example.org/v1.'),
    kind: text('Such as XNetwork.'),
    namespace: {type: 'string', maxLength: 2048, description: 'Of a namespaced XR.'},
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 2048,
      pattern: '^([-.a-z0-9]+$|.*[$][{])',
      description: 'Such as ${xr.metadata.name}.',
    },
  },
);

const exchanged = listOf(
  1,
  'Which resources.',
  needing(['name'], 'One resource.', {
    name: text('Resource name in this XR.'),
    there: text('Its resource name in the other XR, if different.'),
    apiVersion: text('Of its object in the other XR, if different.'),
    kind: text('Of its object in the other XR, if different.'),
    externalName: expression('As in `handover`. Then both sides need it.'),
  }),
);

const dryRunOfExchange = flag('Only report in the condition what the other side lacks.');

const give = list(
  'Composed resources that go to other XRs with their external resources. The other Composition has to `take` them. They stay until the other XR has them, and are never made here anew.',
  needing(['to', 'resources'], 'One rule.', {to: otherXr, resources: exchanged, dryRun: dryRunOfExchange}),
);

const take = list(
  'Composed resources that come from other XRs with their external resources. The other Composition has to `give` them, and an earlier step here desires them. They are never made anew while the rule exists.',
  needing(['from', 'resources'], 'One rule.', {from: otherXr, resources: exchanged, dryRun: dryRunOfExchange}),
);

const usagePair = needing(
  ['of', 'by'],
  'One deletion order: `of` is not deleted while `by` exists. Becomes a Usage or ClusterUsage by the scope of both ends.',
  {
    of: text('Resource name of the resource that is used.'),
    by: text('Resource name of its user, which leaves first.'),
    reason: text('The reason that Crossplane shows when it denies a deletion.'),
    replayDeletion: flag('Repeat a denied deletion of `of` as soon as the Usage is gone. False unless set.'),
    optional: flag('Do not report in the condition that one of the two is neither desired nor observed.'),
  },
);

export const inputSchema = record(
  'The `input` of the pipeline step that calls function-tether. Without any field, function-tether adopts before it changes, and keeps the order of the Usages that exist.',
  {
    apiVersion: {
      type: 'string',
      enum: [`${inputGroup}/${inputVersion}`],
      description: 'The version of this input.',
    },
    kind: {type: 'string', enum: [inputKind], description: 'The kind of this input.'},
    metadata: {
      type: 'object',
      open: true,
      properties: {},
      description: 'Object metadata, as every Kubernetes object has it. Not read.',
    },
    crossplane: {
      type: 'string',
      pattern: '^v?[0-9]+\\.[0-9]+(\\.[0-9]+)?$',
      description:
        'The Crossplane version that runs this function, such as "1.16.1" or "2.3". The newest unless set. Below 2.0 pairs become Usages of apiextensions.crossplane.io, which are relaxed before they are dropped. 1.16.2 to 2.3.4 delete what `restore.trustReferencesUntil` is about, so the XR is trusted without a date; name 2.2 and 2.3.',
    },
    externalNames,
    give,
    take,
    handover,
    resources,
    restore: record('Additions to adopt first, then change, which is always on.', {
      lookup: flag(
        "Before a resource is created, look by function-tether's labels for one that the XR's resourceRefs lost, and take it back under its name. Off unless set.",
      ),
      stableNames: flag(
        'Name new resources after the XR, not its UID, so that an XR that comes back with a new UID finds them. Observed resources keep their names. From Crossplane 2.2 on, switching it on for a living XR makes nothing twice: its objects are looked for first. Without lookup, an object that is one of several, is being deleted, or belongs to another UID is not taken, and nothing waits for it. Before 2.2 set lookup, too, if a template generates values: it has not observed the object of that name, and writes others over the old ones. Off unless set.',
      ),
      kinds: list('More kinds to look for: those of lost resources that are no longer desired.', kindReference),
      trustReferencesUntil: {
        type: 'string',
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
        description:
          "For a backup that is older than function-tether: the end of its restore, such as 2026-05-01T12:00:00Z. An object without a controller reference counts as the XR's if the XR lists it, both were made until then, and Crossplane's label and annotation on it name this XR. An editor of the XR can list any such object, and so have it adopted and deleted. So set it only if XR editors may not write resourceRefs, and remove it after the restore.",
      },
    }),
    order,
    protect,
    removal,
    ttl: {
      type: 'string',
      pattern: durationPattern,
      description:
        'How long Crossplane may reuse an answer, such as 1m30s. 0s: until something changes, or its poll interval. Shorter while something is held. Unless set: 0s at rest, else 60s.',
    },
    usages: list(
      'Deletion orders between two composed resources. A pair does not keep what `of` reads, such as a ConfigMap or a ProviderConfig: add a pair for it.',
      usagePair,
    ),
  },
);

export type InputSchema = typeof inputSchema;
