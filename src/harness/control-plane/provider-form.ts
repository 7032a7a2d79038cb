// The behaviour of managed resources. The form of a test that passes it as a program has the same fields, but times in
// milliseconds.

import {duration} from '../input/duration.ts';
import {list, mapOf, oneOf, type Read, text} from '../input/form.ts';
import type {ManifestReader} from '../input/manifests/manifest-reader.ts';
import {objectsForm} from '../input/manifests/objects-form.ts';
import {called, map, may, must, or} from '../input/map-form.ts';

export const runtimes = ['2.2', '2.3'] as const;

export const providerFields = {
  runtime: or(
    oneOf(...runtimes),
    '2.3',
    'The crossplane-runtime that providers are built with: 2.3 and later unless set. 2.2 stands for all before it, which count the usages of ProviderConfigs of one name in every namespace (crossplane#7154).',
  ),
  kind: or(
    oneOf('managed', 'nop'),
    'managed',
    'managed: a managed reconciler and a cloud that counts creates and deletes. nop: finalizer and conditions only.',
  ),
  async: or(
    list(text),
    [],
    'Kinds whose client works in the background, as those of upjet do: VPC, or VPC.ec2.aws.upbound.io.',
  ),
  references: or(
    list(
      map({
        field: must(text, 'The field, such as vpcId.'),
        kind: must(text, 'The kind that it refers to.'),
      }),
    ),
    [],
    'What fields refer to whose names do not say it.',
  ),
  externals: or(
    mapOf(
      map({
        type: may(text, 'What the cloud calls it: kinds of one type lead to the same external resources.'),
        name: may(text, "How the external name says the cloud's identifier, such as eu-central-1/{id}."),
        shows: may(
          mapOf(text),
          'Fields of status.atProvider as the provider computes them, such as {id: "projects/p/serviceAccounts/{id}"}, for templates that parse them.',
        ),
        publishes: may(
          mapOf(text),
          'Keys of the connection Secret, such as {endpoint: "{id}.example.org"}, for templates that read them. Only objects with writeConnectionSecretToRef have one.',
        ),
        publishesOnce: may(
          mapOf(text),
          'Those that its provider knows only after its create, such as {password: secret-of-{id}}. Not of kinds under async.',
        ),
        exist: may(
          list(text),
          'Identifiers of those that are in the cloud before the story: what a managed resource only observes.',
        ),
        namedBy: may(
          oneOf('author', 'object', 'cloud'),
          "Who gives the external name. author: the annotation before the create, else the cloud; so it is unless set. object: the annotation, else the object's name. cloud: the cloud alone, which overwrites the annotation.",
        ),
      }),
    ),
    {},
    'By kind (VPC, or VPC.ec2.aws.upbound.io): what it stands for in the cloud, where its name does not say it.',
  ),
};

export const defaultTimes = {readyAfterMs: 100, deleteAfterMs: 300};

const readyAfter = 'How long the cloud takes until a resource is ready.';
const deleteAfter = 'How long the cloud takes to delete one.';

const times = map({
  readyAfter: called('readyAfterMs', may(duration, readyAfter)),
  deleteAfter: called('deleteAfterMs', may(duration, deleteAfter)),
});

/** How managed resources behave: kinds whose CustomResourceDefinition has the category `managed`. */
export const provider = map({
  ...providerFields,
  readyAfter: called('readyAfterMs', or(duration, `${defaultTimes.readyAfterMs}ms`, readyAfter)),
  deleteAfter: called('deleteAfterMs', or(duration, `${defaultTimes.deleteAfterMs}ms`, deleteAfter)),
  kinds: or(mapOf(times), {}, 'Kinds that take another time.'),
});

/** The content of a provider's package. */
export function providerPackage(manifests: ManifestReader) {
  return map({
    objects: must(objectsForm(manifests), 'Its CustomResourceDefinitions: files, folders, packages or objects.'),
    capabilities: or(list(text), [], 'Capabilities in its metadata: safe-start.'),
  });
}

export type ProviderSetting = Read<typeof provider>;

export const defaultProvider: ProviderSetting = provider.read({
  value: {},
  path: ['provider'],
  placeOf: () => '',
  placeOfKey: () => '',
});
