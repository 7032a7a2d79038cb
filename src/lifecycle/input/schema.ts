// The one schema of the input: the validator, the TypeScript types and the CRD in package/input are all made of it.

import type {ObjectSchema, Schema} from './validate.ts';

export const inputGroup = 'tether.fn.crossplane.io';
export const inputVersion = 'v1beta1';
export const inputKind = 'Input';

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
  description: 'Which composed resources. Everything given has to hold; without any field it is all of them.',
  properties: {
    resources: {
      type: 'array',
      minItems: 1,
      items: {...resourceName, description: 'A resource name.'},
      description:
        'Resource names. One that is neither desired nor observed decides nothing, and is told in the condition. So is a pattern, a kind or a label that nothing desired or observed has, in `order`, `protect`, `removal` and `externalNames`.',
    },
    optional: {
      type: 'boolean',
      description: 'Say nothing in the condition while it matches nothing desired or observed. Off unless set.',
    },
    pattern: {
      type: 'string',
      maxLength: 1000,
      holdsRegex: true,
      description:
        'A regular expression, RE2 as Go has it, that the whole resource name matches: subnet-.* and not subnet.',
    },
    kinds: {type: 'array', minItems: 1, items: kindReference, description: 'Kinds, compared by group and kind.'},
    labels: {
      type: 'array',
      minItems: 1,
      description: 'Labels, all of which the resource carries.',
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
        'Where the cloud chooses the name: the field of status that tells it. Written as soon as the resource is ready and has no name yet. The first rule that matches counts. Leave kinds out whose names are your own.',
      items: {
        type: 'object',
        description: 'One rule.',
        required: ['path'],
        properties: {
          match: selector,
          path: {
            type: 'string',
            pattern: '^status(\\.[^.]+)+$',
            description: 'Field names below the object, joined by dots: status.atProvider.id.',
          },
        },
      },
    },
    remember: {
      type: 'object',
      description:
        'Remember names outside the managed resources and put back those that are lost, in a restore or by hand. Never over a newer name.',
      required: ['in'],
      properties: {
        in: {
          type: 'string',
          enum: ['Status', 'ConfigMap'],
          description:
            "Status: a field of the XR's status, which the XRD has to declare (type object, x-kubernetes-preserve-unknown-fields). ConfigMap: a composed ConfigMap, which a backup keeps where it drops status; Crossplane 2 only, and Crossplane needs the rights to write ConfigMaps. Others may write to the status, and in the namespace of a namespaced XR, so names there are put back only where function-tether has sealed them, with the key of --memory-key-file; in a namespace that the input chooses (cluster-scoped XRs), without a key, too.",
        },
        field: {
          type: 'string',
          pattern: '^[A-Za-z][A-Za-z0-9]*$',
          description: 'With Status: the name of the field. externalNames unless set.',
        },
        namespace: {
          type: 'string',
          minLength: 1,
          description: 'With ConfigMap and a cluster-scoped XR: the namespace of the ConfigMap.',
        },
      },
    },
  },
} as const satisfies ObjectSchema;

const order = {
  type: 'array',
  description:
    'Orders of creation and deletion. Say each either as a sequence or as `of` and `by`. A nested XR is there until what it composes is gone. An order does not keep what a held resource reads, such as a ConfigMap or a ProviderConfig: name that, too. A cycle is an error.',
  items: {
    type: 'object',
    description: 'One order.',
    properties: {
      sequence: {
        type: 'array',
        minItems: 2,
        items: selector,
        description:
          'Steps. What a step selects is created when all of the earlier steps is ready, and deleted before it. A step that selects nothing is passed over.',
      },
      of: {...selector, description: 'What is used: created first, deleted last.'},
      by: {...selector, description: 'What uses it: created after, deleted before.'},
      when: {
        ...cel,
        description:
          'CEL over xr, resources, context, required, observed and desired that is true or false. While it is false nothing waits for this order to be created; deletion stays in order for what is there. Where it comes to neither, or reads a field that is not there (ask has() first), it counts as true, and the condition says so.',
      },
      waitFor: {
        type: 'string',
        enum: ['Observed', 'Desired'],
        description:
          'Observed unless set: what a step selects counts once it is observed and ready, and a step that selects nothing is passed over. Desired, as function-sequencer has it: it counts once an earlier function says that it is ready, observed or not, and a step that selects nothing desired is waited for.',
      },
      createOnly: {type: 'boolean', description: 'Order creation only: no Usages.'},
      deleteOnly: {type: 'boolean', description: 'Order deletion only: nothing waits to be created.'},
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
  description: 'Why, in words. Shown by Crossplane when it denies a deletion.',
} as const;

const protect = {
  type: 'object',
  description:
    'Usages without `by`: what they protect is not deleted until it is no longer selected, except with its whole namespace, which takes the Usage along. An XR that is deleted takes its Usages along, so it is protected with them, unless `xr` is Never: then whoever deletes the XR deletes what is protected. A protected resource that the earlier steps drop is held. One that moves to another resource name, kind or XR keeps its Usage until it leaves, and what comes after it has one before it gets its policies.',
  properties: {
    resources: {
      type: 'array',
      description: 'What to protect. Matched against the desired and the observed resource: either suffices.',
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
        'Objects to protect that the step only requires, in an XR or in an Operation. Names in a match are those of the requirements; ops.crossplane.io/watched-resource is what a WatchOperation watches.',
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
        'Whether the XR itself is protected, whose deletion would take its resources along. WithResources unless set: while any resource is. Never: deleting the XR ends every protection that it gives.',
    },
    xrMatch: {...selector, description: 'Protect the XR, too, where it matches.'},
  },
} as const satisfies ObjectSchema;

const removal = {
  type: 'object',
  description:
    'What happens to resources that the earlier steps no longer desire. Deleted in the order of the Usages unless set.',
  properties: {
    policies: {
      type: 'array',
      description: 'The first policy that matches a resource counts. Matched against the object as it is observed.',
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
              'Delete: in order. Orphan: the object goes, the external resource of the managed resource stays. Retain: stays as it is. Confirm: stays until the annotation tether.fn.crossplane.io/confirm-removal of the XR names it (resource names, separated by commas, or a JSON list of them; NAME@UID means that object alone).',
          },
        },
      },
    },
    budget: {
      type: 'object',
      description:
        'How much may be on its way out at once: dropped, replaced by an object of another kind, or being deleted by anybody, and still known to the XR. More is held, all of it, so that an empty or broken earlier step cannot wipe an XR; what Crossplane deleted after an earlier edit does not count any more. Usages, what the XR confirms, and what stays anyway (retained, unconfirmed, protected) do not count.',
      properties: {
        resources: {type: 'integer', minimum: 0, description: 'At most so many resources.'},
        percent: {
          type: 'integer',
          minimum: 0,
          maximum: 100,
          description: 'At most so many of a hundred of the observed resources.',
        },
      },
    },
  },
} as const satisfies ObjectSchema;

const resources = {
  type: 'array',
  description:
    'Composed resources from templates. A string of `base` may hold expressions in ${...}: CEL over xr, resources.<name> (as observed), context and required. What reads resources.<name> is created after it and deleted before it. If a value is not there yet or does not fit, the resource waits, or stays as it is.',
  items: {
    type: 'object',
    description: 'One template.',
    required: ['name', 'base'],
    properties: {
      name: {...resourceName, description: 'Resource name. No earlier step desires one of that name.'},
      base: {
        type: 'object',
        open: true,
        preserved: true,
        properties: {},
        description:
          'The object. apiVersion and kind are literal. A string that is one ${...} takes its value and type; one that is null leaves its field out; inside a longer string values are written as text. $${ is a plain ${.',
      },
      include: {
        ...cel,
        description:
          'CEL that is true or false: whether the resource is wanted. One that is no longer leaves in order, as the removal policies say.',
      },
      readyWhen: {
        ...cel,
        description:
          "CEL that is true or false, over self (the observed object), too: whether the resource is ready. The object's condition Ready unless set. With it, whatever reads the resource is created when it is ready.",
      },
    },
  },
} as const satisfies Schema;

const handover = {
  type: 'array',
  description:
    'Moves of composed resources that keep their external resources: to another resource name, or to another kind. Nothing of it is deleted or created in the cloud. The first rule that fits a move counts; without one a move that is noticed is refused.',
  items: {
    type: 'object',
    description: 'One rule.',
    required: ['from', 'to'],
    properties: {
      from: {
        ...selector,
        description: 'The old objects, as they are observed; resource names are those before the move.',
      },
      to: {
        type: 'object',
        description: 'What they become. What is not given stays as it is: the resource name, the group, the kind.',
        minProperties: 1,
        properties: {
          resource: {
            ...resourceName,
            description:
              'Another resource name, which an earlier step desires in place of the old one. `from` selects one object then.',
          },
          apiVersion: {
            type: 'string',
            minLength: 1,
            description: 'Another group, such as ec2.aws.m.upbound.io/v1beta1. The version does not matter.',
          },
          kind: {type: 'string', minLength: 1, description: 'Another kind.'},
        },
      },
      externalName: {
        ...cel,
        description:
          "CEL over self (the old object) and xr that is the new object's external name, where the two providers write it differently. The old one's unless set; then status.atProvider.id and arn have to be the same, too, where both have them.",
      },
      dryRun: {
        type: 'boolean',
        description: 'Only say in the condition what would be moved. The old object stays, the new one is not made.',
      },
    },
  },
} as const satisfies Schema;

const otherXr = {
  type: 'object',
  description:
    'The other XR. `name` and `namespace` may hold expressions in ${...}: CEL over xr. Where the name comes to nothing, the rule is not about this XR.',
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
      there: {...resourceName, description: 'Resource name in the other XR. The same unless set.'},
      apiVersion: {
        type: 'string',
        minLength: 1,
        description: 'Of its object in the other XR. The same group unless set.',
      },
      kind: {type: 'string', minLength: 1, description: 'Of its object in the other XR. The same unless set.'},
      externalName: {
        ...cel,
        description:
          "CEL over self (the old object) and xr that is the new object's external name, where the two providers write it differently; both sides say it then. The old one's unless set, and then status.atProvider.id and arn have to be the same, too, where both have them.",
      },
    },
  },
} as const satisfies Schema;

const dryRunOfExchange = {
  type: 'boolean',
  description: 'Only say in the condition what the other side lacks. Nothing is offered, and nothing is made.',
} as const;

const give = {
  type: 'array',
  description:
    'Composed resources that go to other XRs and keep their external resources. The other Composition has to `take` them. They stay as they are until the other XR is seen to have them, and are not made here any more.',
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
    'Composed resources that come from other XRs with their external resources. The other Composition has to `give` them. An earlier step desires them as they are to be. They are never made anew while the rule is there.',
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
    'One deletion order: `of` is not deleted while `by` exists, and a nested XR exists until what it composes is gone. Becomes a Usage or ClusterUsage by the scope of both ends.',
  required: ['of', 'by'],
  properties: {
    of: {...resourceName, description: 'Resource name (the key in the pipeline) of the resource that is used.'},
    by: {...resourceName, description: 'Resource name of the resource that uses `of`, and so leaves before it.'},
    reason: {
      type: 'string',
      minLength: 1,
      description: 'Why, in words. Shown by Crossplane when it denies a deletion.',
    },
    replayDeletion: {
      type: 'boolean',
      description: 'Repeat a denied deletion of `of` as soon as the Usage is gone. False unless set.',
    },
    optional: {
      type: 'boolean',
      description:
        'Say nothing while one of the two is neither desired nor observed. Set it where an earlier step adds resources only sometimes, or one after the other; without it the condition names the unknown name.',
    },
  },
} as const satisfies ObjectSchema;

export const inputSchema = {
  type: 'object',
  description:
    'What a Composition tells function-tether. Without any field it already adopts before it changes, keeps the order of the Usages it sees, and marks what it does.',
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
        'The Crossplane version that runs this function, such as "1.16.1" or "2.3". Below 2.0 pairs become Usages of apiextensions.crossplane.io; up to 1.18.1 a Usage is relaxed before it is dropped, because those versions keep it until `by` is gone. Current unless set.',
    },
    externalNames,
    give,
    take,
    handover,
    resources,
    restore: {
      type: 'object',
      description: 'Adopt first, then change is always on. Here is what goes beyond it.',
      properties: {
        lookup: {
          type: 'boolean',
          description:
            "Before a resource is created, look for one that the XR's resourceRefs lost, by function-tether's labels, and take it back under its name. Off unless set.",
        },
        stableNames: {
          type: 'boolean',
          description:
            'Name resources that are still to be created after the XR and not after its UID, so that they are found again under the same name when the XR comes back with a new UID and without its resourceRefs. What is observed keeps its name. From Crossplane 2.2 on, what an XR that has composed before made under another name is looked for first, as lookup does, and keeps that name: switched on for a living XR, nothing is made a second time. Unless lookup is on, too, none is taken of several, nor one that is being deleted or that another UID controls, and nothing waits for it. Off unless set.',
        },
        kinds: {
          type: 'array',
          items: kindReference,
          description:
            'Kinds to look for on top of those of the resources that are missing, so that lost resources are found that are no longer desired.',
        },
        trustReferencesUntil: {
          type: 'string',
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$',
          description:
            "For the restore of a backup that is older than function-tether: the end of that restore, such as 2026-05-01T12:00:00Z. An object without a controller reference that was made until then counts as the XR's if the XR, made until then as well, lists it and it carries Crossplane's own label and annotation for this XR. Whoever may edit the XR can list any such object and have it adopted, and deleted, so say it only if XR editors may not write resourceRefs, and take it out after the restore.",
        },
      },
    },
    order,
    protect,
    removal,
    ttl: {
      type: 'string',
      pattern: '^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$',
      description:
        'How long Crossplane may reuse an answer, such as 1m30s: it asks again after that at the latest. 0s: no need to ask again but when something changes, or at its poll interval. Shorter while something is held. Left out: 0s while nothing is going on, else 60s.',
    },
    usages: {
      type: 'array',
      items: usagePair,
      description:
        'Deletion orders between two composed resources. A pair does not keep what `of` reads, such as a ConfigMap or a ProviderConfig: add a pair for that.',
    },
  },
} as const satisfies ObjectSchema;

export type InputSchema = typeof inputSchema;
