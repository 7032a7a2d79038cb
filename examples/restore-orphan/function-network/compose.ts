import {
  type ComposeFunction,
  fatal,
  getInput,
  getObservedComposedResources,
  getObservedCompositeResource,
  Ready,
  Resource,
} from '@crossplane-org/function-sdk-typescript';
import {type NetworkParameters, networkResources, type Template} from './templates.ts';

/** The step's input: which databases the network's security group lets in. */
interface Input {
  readonly databaseAccess: readonly {readonly name: string; readonly port: number}[];
}

export const composeNetwork: ComposeFunction = (request, response) => {
  const xr = getObservedCompositeResource(request)?.resource;
  const parameters = xr?.['spec']?.parameters as NetworkParameters | undefined;
  const input = getInput(request) as Input | undefined;
  if (parameters === undefined || input === undefined) {
    fatal(response, 'cannot compose a network: the XR has no spec.parameters or the step has no input');
    return response;
  }
  const observed = getObservedComposedResources(request);
  const templates = networkResources(xr?.['metadata']?.name as string, parameters, input.databaseAccess);
  if (response.desired === undefined) response.desired = {resources: {}, composite: undefined};
  for (const [resourceName, template] of Object.entries(templates)) {
    // Assigned, not merged: the SDK's own merge helper doubles lists that both sides have.
    response.desired.resources[resourceName] = Resource.fromJSON({resource: template});
    const ready = isReady(observed[resourceName]?.resource) ? Ready.READY_TRUE : Ready.READY_FALSE;
    response.desired.resources[resourceName].ready = ready;
  }
  response.desired.composite = Resource.fromJSON({resource: {status: statusOf(templates, observed)}});
  return response;
};

type Observed = ReturnType<typeof getObservedComposedResources>;

/** A managed resource is ready by its Ready condition, a Usage once it is Available. */
function isReady(resource: Record<string, unknown> | undefined): boolean {
  const status = resource?.['status'] as {conditions?: readonly {type: string; status: string}[]} | undefined;
  return (
    status?.conditions?.some(({type, status}) => (type === 'Ready' || type === 'Available') && status === 'True') ===
    true
  );
}

function statusOf(templates: {readonly [resourceName: string]: Template}, observed: Observed): Record<string, unknown> {
  const idsOf = (kind: string, access?: string): readonly string[] =>
    Object.entries(templates)
      .filter(
        ([, {kind: own, metadata}]) => own === kind && (access === undefined || metadata.labels?.['access'] === access),
      )
      .map(([resourceName]) => idOf(observed[resourceName]?.resource))
      .filter((id) => id !== undefined);
  const [vpcId] = idsOf('VPC');
  return {
    ...(vpcId === undefined ? {} : {vpcId}),
    publicSubnetIds: idsOf('Subnet', 'public'),
    privateSubnetIds: idsOf('Subnet', 'private'),
    securityGroupIds: idsOf('SecurityGroup'),
  };
}

function idOf(resource: Record<string, unknown> | undefined): string | undefined {
  return (resource?.['status'] as {atProvider?: {id?: string}} | undefined)?.atProvider?.id;
}
