// A platform team's function, as they write it with the TypeScript SDK. It knows nothing of tests.
import {
  type ComposeFunction,
  getObservedComposedResources,
  getObservedCompositeResource,
  Ready,
  Resource,
} from '@crossplane-org/function-sdk-typescript';

interface StorageSpec {
  readonly region: string;
  readonly versioned?: boolean;
}

export const composeStorage: ComposeFunction = (request, response) => {
  const xr = getObservedCompositeResource(request)?.resource ?? {};
  const {region, versioned = false} = xr['spec'] as StorageSpec;
  const observed = getObservedComposedResources(request);
  const compose = (resourceName: string, kind: string, forProvider: object): void => {
    const resource = {apiVersion: 's3.aws.upbound.io/v1beta1', kind, spec: {forProvider}};
    const ready = isReady(observed[resourceName]?.resource) ? Ready.READY_TRUE : Ready.READY_FALSE;
    response.desired ??= {composite: undefined, resources: {}};
    response.desired.resources[resourceName] = {...Resource.fromJSON({resource}), ready};
  };
  compose('bucket', 'Bucket', {region});
  if (versioned) compose('versioning', 'BucketVersioning', {region, bucketSelector: {matchControllerRef: true}});
  return response;
};

function isReady(resource: {readonly [key: string]: unknown} | undefined): boolean {
  const status = resource?.['status'] as {readonly conditions?: readonly {type: string; status: string}[]} | undefined;
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false;
}
