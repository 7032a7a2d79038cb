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

const resourceName = {type: 'string', minLength: 1} as const;

const cel = {type: 'string', minLength: 1, maxLength: 2048} as const;

const kindReference = {
  type: 'object',
  description: 'A kind of composed resource.',
  required: ['apiVersion', 'kind'],
  properties: {
    apiVersion: {type: 'string', minLength: 1, description: 'Such as ec2.aws.m.upbound.io/v1beta1.'},
    kind: {type: 'string', minLength: 1, description: 'Such as VPC.'},
  },
} as const satisfies ObjectSchema;

const selector = {
  type: 'object',
  description: 'Which composed resources: those for which all given fields hold. All, without a field.',
  properties: {
    resources: {
      type: 'array',
      minItems: 1,
      items: {...resourceName, description: 'A resource name.'},
      description:
        'Resource names. A name, pattern, kind or label that no desired or observed resource has decides nothing, and the condition reports it.',
    },
    optional: {
      type: 'boolean',
      description: 'Do not report in the condition that it matches nothing. Off unless set.',
    },
    pattern: {
      type: 'string',
      maxLength: 1000,
      holdsRegex: true,
      description: 'A regular expression of Go that matches the whole resource name: subnet-.* and not subnet.',
    },
    kinds: {type: 'array', minItems: 1, items: kindReference, description: 'Kinds, compared by group and kind.'},
    labels: {
      type: 'array',
      minItems: 1,
      description: 'Labels, all of them on the resource.',
      items: {
        type: 'object',
        description: 'One label.',
        required: ['key', 'value'],
        properties: {
          key: {type: 'string', minLength: 1, description: 'Key of the label.'},
          value: {type: 'string', description: 'Value of the label.'},
          ignoreCase: {type: 'boolean', description: 'Compare without regard to case. Off unless set.'},
        },
      },
    },
  },
} as const satisfies ObjectSchema;

const externalNames = {
  type: 'object',
  description: 'Makes external names durable, so that no cloud resource is created twice.',
  properties: {
    from: {
      type: 'array',
      description:
        'Rules for kinds whose name the cloud chooses: the field of status that has it. It is written once the resource is ready and has no name. The first rule that matches counts.',
      items: {
        type: 'object',
        description: 'One rule.',
        required: ['path'],
        properties: {
          match: selector,
          path: {
            type: 'string',
            pattern: '^status(\\.[^.]+)+$',
            description: 'Field names joined by dots: status.atProvider.id.',
          },
        },
      },
    },
    remember: {
      type: 'object',
      description: 'Remember names outside the managed resources, and put lost ones back. Never over a newer name.',
      required: ['in'],
      properties: {
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
        namespace: {
          type: 'string',
          minLength: 1,
          description: 'With ConfigMap and a cluster-scoped XR: its namespace.',
        },
      },
    },
  },
} as const satisfies ObjectSchema;

const order = {
  type: 'array',
  description:
    'Orders of creation and deletion, each as `sequence` or as `of` and `by`. A nested XR exists until what it composes is gone. Also name what a held resource reads, such as a ConfigMap or ProviderConfig: an order does not keep it. A cycle is an error.',
  items: {
    type: 'object',
    description: 'One order.',
    properties: {
      sequence: {
        type: 'array',
        minItems: 2,
        items: selector,
        description:
          'Steps. Resources of a step are created once all earlier steps are ready, and deleted before those.',
      },
      of: {...selector, description: 'What is used: created first, deleted last.'},
      by: {...selector, description: 'What uses it: created after, deleted before.'},
      when: {
        ...cel,
        description:
          'CEL over xr, resources, context, required, observed and desired. While it is false, creation does not wait for this order; existing resources are still deleted in order. An error, such as an absent field (ask has() first), counts as true, and the condition reports it.',
      },
      waitFor: {
        type: 'string',
        enum: ['Observed', 'Desired'],
        description:
          'Observed (default): a resource counts once it is observed and ready, a ConfigMap, Secret or ProviderConfig once observed; a step that selects nothing is passed over. Desired, as in function-sequencer: it counts once an earlier function marks it ready; a step that selects nothing desired is waited for.',
      },
      createOnly: {type: 'boolean', description: 'Creation only: no Usages.'},
      deleteOnly: {type: 'boolean', description: 'Deletion only: nothing waits to be created.'},
      replayDeletion: {
        type: 'boolean',
        description: 'Repeat a denied deletion as soon as the Usage is gone. False unless set.',
      },
    },
  },
} as const satisfies Schema;

const protectReason = {
  type: 'string',
  minLength: 1,
  description: 'The reason that Crossplane shows when it denies a deletion.',
} as const;

const protect = {
  type: 'object',
  description:
    'Usages without `by`: the API server denies a deletion while the resource is selected, but not the deletion of its whole namespace. The XR is protected too, unless `xr` is Never: then a deletion of the XR deletes its Usages and the protected resources. A protected resource that the earlier steps drop is held. A move keeps it protected throughout.',
  properties: {
    resources: {
      type: 'array',
      description: 'What to protect, by the desired or the observed resource.',
      items: {
        type: 'object',
        description: 'One rule.',
        properties: {
          match: selector,
          reason: protectReason,
        },
      },
    },
    required: {
      type: 'array',
      description:
        'Objects to protect that the step only requires. An XR in a namespace protects only those in it. Names are those of the requirements; ops.crossplane.io/watched-resource is the object of a WatchOperation.',
      items: {
        type: 'object',
        description: 'One rule. The first that matches counts.',
        properties: {match: selector, reason: protectReason},
      },
    },
    xr: {
      type: 'string',
      enum: ['WithResources', 'Always', 'Never'],
      description:
        'Whether the XR is protected: WithResources (default), while any resource is; Never, and deleting the XR ends every protection.',
    },
    xrMatch: {...selector, description: 'Protect the XR, too, if it matches.'},
  },
} as const satisfies ObjectSchema;

const removal = {
  type: 'object',
  description:
    'Policies for resources that the earlier steps no longer desire. By default they are deleted in the order of the Usages.',
  properties: {
    policies: {
      type: 'array',
      description: 'The first policy that matches the observed object counts.',
      items: {
        type: 'object',
        description: 'One policy.',
        required: ['policy'],
        properties: {
          match: selector,
          policy: {
            type: 'string',
            enum: ['Delete', 'Orphan', 'Retain', 'Confirm'],
            description:
              'Delete: in order. Orphan: the object goes, its external resource stays. Retain: both stay. Confirm: both stay until the annotation tether.fn.crossplane.io/confirm-removal of the XR names it (names separated by commas, or a JSON list; NAME@UID means that object alone).',
          },
        },
      },
    },
    budget: {
      type: 'object',
      description:
        'How much may leave at once: dropped, replaced by another kind, or being deleted, and still known to the XR. If more would leave, all of it is held, so that a broken earlier step cannot wipe an XR. Confirmed ones leave and count. Usages, and those that stay anyway, do not.',
      properties: {
        resources: {type: 'integer', minimum: 0, description: 'At most this number.'},
        percent: {
          type: 'integer',
          minimum: 0,
          maximum: 100,
          description: 'At most this percentage of the observed resources.',
        },
      },
    },
  },
} as const satisfies ObjectSchema;

const resources = {
  type: 'array',
  description:
    'Composed resources from templates. A string of `base` may hold ${...}: CEL over xr, resources.<name> (as observed), context and required. A reader of resources.<name> is created after it and deleted before it. If a value is absent or does not fit, the resource waits, or stays as it is.',
  items: {
    type: 'object',
    description: 'One template.',
    required: ['name', 'base'],
    properties: {
      name: {...resourceName, description: 'Resource name, which no earlier step desires.'},
      base: {
        type: 'object',
        open: true,
        preserved: true,
        properties: {},
        description:
          'The object. apiVersion and kind are literal. Before 2.2 one without metadata.name is named after the XR. A string that is one ${...} takes its value and type; null leaves the field out; in a longer string values are text. $${ is a plain ${.',
      },
      include: {
        ...cel,
        description: 'CEL: whether the resource is wanted. If not, it leaves as the removal policies say.',
      },
      readyWhen: {
        ...cel,
        description:
          'CEL, also over self (the observed object): whether the resource is ready. Its condition Ready unless set. Readers of the resource are created once it is ready.',
      },
    },
  },
} as const satisfies Schema;

const handover = {
  type: 'array',
  description:
    'Moves of composed resources to another resource name or kind. Their external resources stay. The first rule that fits counts; without one a noticed move is refused.',
  items: {
    type: 'object',
    description: 'One rule.',
    required: ['from', 'to'],
    properties: {
      from: {
        ...selector,
        description: 'The old objects, as observed, by their old resource names.',
      },
      to: {
        type: 'object',
        description: 'What they become. Fields that are not given stay.',
        minProperties: 1,
        properties: {
          resource: {
            ...resourceName,
            description:
              'Another resource name, which an earlier step desires in place of the old one. Then `from` selects one object.',
          },
          apiVersion: {
            type: 'string',
            minLength: 1,
            description: 'Another group, in any version: ec2.aws.m.upbound.io/v1beta1.',
          },
          kind: {type: 'string', minLength: 1, description: 'Another kind.'},
        },
      },
      externalName: {
        ...cel,
        description:
          'CEL over self (the old object) and xr: the new external name, if the providers write it differently. Without it, status.atProvider.id and arn have to be the same, too, if both have them.',
      },
      dryRun: {
        type: 'boolean',
        description: 'Only report in the condition what would be moved.',
      },
    },
  },
} as const satisfies Schema;

const otherXr = {
  type: 'object',
  description:
    'The other XR. `name` and `namespace` may hold ${...}: CEL over xr. If the name comes to nothing, the rule is not about this XR.',
  required: ['apiVersion', 'kind', 'name'],
  properties: {
    apiVersion: {type: 'string', minLength: 1, description: 'Such as platform.example.org/v1.'},
    kind: {type: 'string', minLength: 1, description: 'Such as XNetwork.'},
    namespace: {type: 'string', maxLength: 2048, description: 'Of a namespaced XR.'},
    name: {type: 'string', minLength: 1, maxLength: 2048, description: 'Such as ${xr.metadata.name}.'},
  },
} as const satisfies ObjectSchema;

const exchanged = {
  type: 'array',
  minItems: 1,
  description: 'Which resources.',
  items: {
    type: 'object',
    description: 'One resource.',
    required: ['name'],
    properties: {
      name: {...resourceName, description: 'Resource name in this XR.'},
      there: {...resourceName, description: 'Its resource name in the other XR, if different.'},
      apiVersion: {
        type: 'string',
        minLength: 1,
        description: 'Of its object in the other XR, if different.',
      },
      kind: {type: 'string', minLength: 1, description: 'Of its object in the other XR, if different.'},
      externalName: {
        ...cel,
        description: 'As in `handover`. Then both sides need it.',
      },
    },
  },
} as const satisfies Schema;

const dryRunOfExchange = {
  type: 'boolean',
  description: 'Only report in the condition what the other side lacks.',
} as const;

const give = {
  type: 'array',
  description:
    'Composed resources that go to other XRs with their external resources. The other Composition has to `take` them. They stay until the other XR has them, and are never made here anew.',
  items: {
    type: 'object',
    description: 'One rule.',
    required: ['to', 'resources'],
    properties: {to: otherXr, resources: exchanged, dryRun: dryRunOfExchange},
  },
} as const satisfies Schema;

const take = {
  type: 'array',
  description:
    'Composed resources that come from other XRs with their external resources. The other Composition has to `give` them, and an earlier step here desires them. They are never made anew while the rule exists.',
  items: {
    type: 'object',
    description: 'One rule.',
    required: ['from', 'resources'],
    properties: {from: otherXr, resources: exchanged, dryRun: dryRunOfExchange},
  },
} as const satisfies Schema;

const usagePair = {
  type: 'object',
  description:
    'One deletion order: `of` is not deleted while `by` exists. Becomes a Usage or ClusterUsage by the scope of both ends.',
  required: ['of', 'by'],
  properties: {
    of: {...resourceName, description: 'Resource name of the resource that is used.'},
    by: {...resourceName, description: 'Resource name of its user, which leaves first.'},
    reason: {
      type: 'string',
      minLength: 1,
      description: 'The reason that Crossplane shows when it denies a deletion.',
    },
    replayDeletion: {
      type: 'boolean',
      description: 'Repeat a denied deletion of `of` as soon as the Usage is gone. False unless set.',
    },
    optional: {
      type: 'boolean',
      description: 'Do not report in the condition that one of the two is neither desired nor observed.',
    },
  },
} as const satisfies ObjectSchema;

export const inputSchema = {
  type: 'object',
  description:
    'The `input` of the pipeline step that calls function-tether. Without any field, function-tether adopts before it changes, and keeps the order of the Usages that exist.',
  properties: {
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
        'The Crossplane version that runs this function, such as "1.16.1" or "2.3". The newest unless set. Below 2.0 pairs become Usages of apiextensions.crossplane.io; up to 1.18.1 a Usage is relaxed before it is dropped. 1.16.2 to 2.3.4 delete what `restore.trustReferencesUntil` is about, so the XR is trusted without a date; name 2.2 and 2.3.',
    },
    externalNames,
    give,
    take,
    handover,
    resources,
    restore: {
      type: 'object',
      description: 'Additions to adopt first, then change, which is always on.',
      properties: {
        lookup: {
          type: 'boolean',
          description:
            "Before a resource is created, look by function-tether's labels for one that the XR's resourceRefs lost, and take it back under its name. Off unless set.",
        },
        stableNames: {
          type: 'boolean',
          description:
            'Name new resources after the XR, not its UID, so that an XR that comes back with a new UID finds them. Observed resources keep their names. From Crossplane 2.2 on, switching it on for a living XR makes nothing twice: its objects are looked for first. Without lookup, an object that is one of several, is being deleted, or belongs to another UID is not taken, and nothing waits for it. Before 2.2 set lookup, too, if a template generates values: it has not observed the object of that name, and writes others over the old ones. Off unless set.',
        },
        kinds: {
          type: 'array',
          items: kindReference,
          description: 'More kinds to look for: those of lost resources that are no longer desired.',
        },
        trustReferencesUntil: {
          type: 'string',
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
          description:
            "For a backup that is older than function-tether: the end of its restore, such as 2026-05-01T12:00:00Z. An object without a controller reference counts as the XR's if the XR lists it, both were made until then, and Crossplane's label and annotation on it name this XR. An editor of the XR can list any such object, and so have it adopted and deleted. So set it only if XR editors may not write resourceRefs, and remove it after the restore.",
        },
      },
    },
    order,
    protect,
    removal,
    ttl: {
      type: 'string',
      pattern: durationPattern,
      description:
        'How long Crossplane may reuse an answer, such as 1m30s. 0s: until something changes, or its poll interval. Shorter while something is held. Unless set: 0s at rest, else 60s.',
    },
    usages: {
      type: 'array',
      items: usagePair,
      description:
        'Deletion orders between two composed resources. A pair does not keep what `of` reads, such as a ConfigMap or a ProviderConfig: add a pair for it.',
    },
  },
} as const satisfies ObjectSchema;

export type InputSchema = typeof inputSchema;
