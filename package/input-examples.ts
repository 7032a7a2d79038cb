// Examples of the input, one for each part and one with several. A test gives each of them to the function.

const whole = `apiVersion: tether.fn.crossplane.io/v1beta1
kind: Input
order:
  - sequence:
      - resources: [vpc]
      - pattern: subnet-.*
      - resources: [cluster]
removal:
  policies:
    - match: {kinds: [{apiVersion: rds.aws.m.upbound.io/v1beta1, kind: Instance}]}
      policy: Confirm
  budget: {percent: 50}
restore: {lookup: true}
`;

const parts: {readonly [part: string]: string} = {
  crossplane: 'crossplane: "1.18.1"\n',
  externalNames: `externalNames:
  from:
    - match: {kinds: [{apiVersion: ec2.aws.m.upbound.io/v1beta1, kind: VPC}]}
      path: status.atProvider.id
  remember: {in: ConfigMap, namespace: crossplane-system}
`,
  handover: `handover:
  - from: {resources: [bucket]}
    to: {resource: data}
  - from: {kinds: [{apiVersion: ec2.aws.upbound.io/v1beta1, kind: VPC}]}
    to: {apiVersion: ec2.aws.m.upbound.io/v1beta1}
    dryRun: true
  - from: {kinds: [{apiVersion: old.example.org/v1, kind: Database}]}
    to: {apiVersion: rds.aws.upbound.io/v1beta1, kind: Instance}
    externalName: self.status.atProvider.identifier
`,
  resources: `resources:
  - name: network
    base:
      apiVersion: ec2.aws.m.upbound.io/v1beta1
      kind: VPC
      spec: {forProvider: {region: "\${xr.spec.region}", cidrBlock: 10.0.0.0/16}}
  - name: subnet
    include: xr.spec.private
    base:
      apiVersion: ec2.aws.m.upbound.io/v1beta1
      kind: Subnet
      spec: {forProvider: {vpcId: "\${resources.network.status.atProvider.id}"}}
    readyWhen: has(self.status.atProvider)
`,
  give: `give:
  - to: {apiVersion: platform.example.org/v1, kind: Database, name: "\${xr.metadata.name}"}
    resources: [{name: db, there: instance}]
`,
  take: `take:
  - from: {apiVersion: platform.example.org/v1, kind: Shop, name: "\${xr.metadata.name}"}
    resources: [{name: instance, there: db}]
`,
  restore: `restore:
  lookup: true
  stableNames: true
  kinds: [{apiVersion: ec2.aws.m.upbound.io/v1beta1, kind: VPC}]
`,
  order: `order:
  - sequence: [{resources: [vpc]}, {pattern: subnet-.*}, {resources: [cluster]}]
  - of: {resources: [database]}
    by: {labels: [{key: uses, value: database}]}
    deleteOnly: true
`,
  protect: `protect:
  resources:
    - match: {labels: [{key: protect, value: "true", ignoreCase: true}]}
      reason: holds customer data
  xr: WithResources
`,
  removal: `removal:
  policies:
    - match: {resources: [bucket]}
      policy: Orphan
    - match: {pattern: database-.*}
      policy: Confirm
  budget: {resources: 5, percent: 20}
`,
  ttl: 'ttl: 5m\n',
  usages: `usages:
  - of: network
    by: cluster
    reason: the cluster runs in it
`,
};

/** YAML of the examples: a whole input, and the top-level field of each part without apiVersion and kind. */
export const inputExamples = {whole, parts};
