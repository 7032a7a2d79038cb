// What a Network is made of. Shaped after public AWS network configurations: one VPC, an internet gateway, a route table
// with its default route, a subnet and an association per zone and access, a security group with a rule per database.

export interface NetworkParameters {
  readonly id: string;
  readonly region: string;
  readonly vpcCidrBlock: string;
  readonly providerConfigName: string;
  readonly subnets: readonly Subnet[];
}

interface Subnet {
  readonly availabilityZone: string;
  readonly type: 'public' | 'private';
  readonly cidrBlock: string;
}

export interface Template {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly labels?: {readonly [key: string]: string}};
  readonly spec: {readonly [field: string]: unknown};
}

type Templates = {readonly [resourceName: string]: Template};

const networkIdLabel = 'networks.aws.platform.example.org/network-id';
const ownVpc = {vpcIdSelector: {matchControllerRef: true}};

export function networkResources(
  xrName: string,
  parameters: NetworkParameters,
  databaseAccess: readonly {readonly name: string; readonly port: number}[],
): Templates {
  const ec2 = managed(parameters);
  return {
    vpc: ec2(
      'VPC',
      {
        cidrBlock: parameters.vpcCidrBlock,
        enableDnsHostnames: true,
        enableDnsSupport: true,
        tags: {Name: xrName},
      },
      {role: 'vpc'},
    ),
    igw: ec2('InternetGateway', {...ownVpc, tags: {Name: xrName}}),
    rt: ec2('RouteTable', {...ownVpc, tags: {Name: xrName}}),
    route: ec2('Route', {
      destinationCidrBlock: '0.0.0.0/0',
      gatewayIdSelector: {matchControllerRef: true},
      routeTableIdSelector: {matchControllerRef: true},
    }),
    mrt: ec2('MainRouteTableAssociation', {...ownVpc, routeTableIdSelector: {matchControllerRef: true}}),
    ...Object.fromEntries(parameters.subnets.flatMap((subnet) => subnetResources(ec2, xrName, subnet))),
    sg: ec2('SecurityGroup', {
      ...ownVpc,
      name: `${xrName}-databases`,
      description: 'Allow access to databases',
      tags: {Name: `${xrName}-databases`},
    }),
    ...Object.fromEntries(databaseAccess.map(({name, port}) => [`sgr-${name}`, databaseRule(ec2, name, port)])),
  };
}

function subnetResources(ec2: Managed, xrName: string, subnet: Subnet): readonly (readonly [string, Template])[] {
  const {availabilityZone, type, cidrBlock} = subnet;
  const suffix = `${availabilityZone}-${type}`;
  const labels = {zone: availabilityZone, access: type};
  return [
    [
      `subnet-${suffix}`,
      ec2(
        'Subnet',
        {
          ...ownVpc,
          availabilityZone,
          cidrBlock,
          ...(type === 'public' ? {mapPublicIpOnLaunch: true} : {}),
          tags: {
            Name: `${xrName}-${suffix}`,
            [type === 'public' ? 'kubernetes.io/role/elb' : 'kubernetes.io/role/internal-elb']: '1',
          },
        },
        labels,
      ),
    ],
    [
      `rta-${suffix}`,
      ec2('RouteTableAssociation', {
        routeTableIdSelector: {matchControllerRef: true},
        subnetIdSelector: {matchControllerRef: true, matchLabels: labels},
      }),
    ],
    [`vpc-by-${suffix}`, vpcUsage(labels)],
  ];
}

/** AWS refuses to delete a VPC that still has subnets; the Usage keeps Kubernetes from trying. */
function vpcUsage(subnetLabels: {readonly [key: string]: string}): Template {
  const ec2Kind = (kind: string, matchLabels: {readonly [key: string]: string}): object => ({
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind,
    resourceSelector: {matchControllerRef: true, matchLabels},
  });
  return {
    apiVersion: 'protection.crossplane.io/v1beta1',
    kind: 'Usage',
    metadata: {},
    spec: {of: ec2Kind('VPC', {role: 'vpc'}), by: ec2Kind('Subnet', subnetLabels), replayDeletion: true},
  };
}

function databaseRule(ec2: Managed, name: string, port: number): Template {
  return ec2('SecurityGroupRule', {
    type: 'ingress',
    protocol: 'tcp',
    fromPort: port,
    toPort: port,
    cidrBlocks: ['10.0.0.0/8'],
    description: `${name} from the private ranges`,
    securityGroupIdSelector: {matchControllerRef: true},
  });
}

type Managed = (
  kind: string,
  forProvider: {readonly [field: string]: unknown},
  labels?: {readonly [key: string]: string},
) => Template;

function managed({id, region, providerConfigName}: NetworkParameters): Managed {
  return (kind, forProvider, labels = {}) => ({
    apiVersion: 'ec2.aws.m.upbound.io/v1beta1',
    kind,
    metadata: {labels: {[networkIdLabel]: id, ...labels}},
    spec: {
      forProvider: {region, ...forProvider},
      managementPolicies: ['*'],
      providerConfigRef: {kind: 'ClusterProviderConfig', name: providerConfigName},
    },
  });
}
