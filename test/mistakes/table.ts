// What a mistake is, what is said first, and the exit code where it is not 2.

export interface Mistake {
  readonly name: string;
  readonly argv: readonly string[];
  readonly files?: {readonly [name: string]: string};
  readonly says: string;
  readonly code?: number;
}

const steps = (yaml: string): string => `name: a\nsteps:\n${yaml}`;
const waiting = steps('- wait: 5s\n');
const scenario = (text: string, more: {readonly [name: string]: string} = {}) => ({
  argv: ['test', 'scenario.yaml'],
  files: {'scenario.yaml': text, ...more},
});
const headed = (yaml: string): string => waiting.replace('name: a', `name: a\n${yaml}`);

const definition = (kind = 'App'): string => `apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.e.org}
spec: {group: e.org, names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}, versions: [{name: v1, served: true, referenceable: true}]}
`;
const composition = (name = 'apps', more = 'mode: Pipeline'): string => `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata: {name: ${name}}
spec: {compositeTypeRef: {apiVersion: e.org/v1, kind: App}, ${more}, pipeline: [{step: a, functionRef: {name: acme-function-a}}]}
`;
const xr = (kind: string, more = ''): string => `apiVersion: e.org/v1\nkind: ${kind}\nmetadata: {name: x}\n${more}`;
const subnetCrd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: subnets.aws.e.org}
spec:
  group: aws.e.org
  scope: Cluster
  names: {kind: Subnet, plural: subnets, categories: [managed]}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              forProvider:
                type: object
                properties: {vpcId: {type: string}, vpcIdSelector: {type: object}}
`;
/** `tether init` in a folder of its own. */
const init = (folder: string, files: {readonly [name: string]: string}, ...more: string[]) => ({
  argv: ['init', folder, ...more],
  files: {
    [folder]: 'a directory',
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])),
  },
});

/** `tether rehearse` of an XR with its Composition. */
const rehearse = (...more: string[]) => ({
  argv: ['rehearse', 'source.yaml', ...more],
  files: {'source.yaml': `${definition()}---\n${composition()}---\n${xr('App')}`},
});

export const mistakes: readonly Mistake[] = [
  {name: 'no name', ...scenario('steps: []\n'), says: 'must have a field "name"'},
  {name: 'a name that is a number', ...scenario('name: 7\nsteps: []\n'), says: 'name must be a string, got 7'},
  {name: 'no steps', ...scenario('name: a\n'), says: 'must have a field "steps"'},
  {name: 'no step in steps', ...scenario('name: a\nsteps: []\n'), says: 'steps must hold at least one step'},
  {name: 'steps that are a map', ...scenario('name: a\nsteps: {}\n'), says: 'steps must be a list'},
  {
    name: 'an unknown field',
    ...scenario(steps('- wait: 5s\nfixture: []\n')),
    says: 'unknown field "fixture" in the document: did you mean "fixtures"?',
  },
  {
    name: 'an unknown field of a step',
    ...scenario(steps('- {wait: 5s, expects: []}\n')),
    says: 'unknown field "expects" in steps[0]: did you mean "expect"?',
  },
  {
    name: 'two actions in a step',
    ...scenario(steps('- {backup: {}, wipe: {}}\n')),
    says: 'steps[0] must have one action, got backup and wipe',
  },
  {name: 'a step that does nothing', ...scenario(steps('- {name: x}\n')), says: 'must do something'},
  {
    name: 'a duration without unit',
    ...scenario(steps('- wait: 5\n')),
    says: 'a duration must look like 500ms, 90s or 1m30s, got 5',
  },
  {name: 'a duration that is a word', ...scenario(steps('- wait: long\n')), says: 'a duration must look like 500ms'},
  {name: 'an empty file', ...scenario(''), says: 'must be a scenario, got an empty file'},
  {
    name: 'two documents',
    ...scenario(steps('- wait: 5s\n---\nname: a\nsteps:\n- wait: 5s\n')),
    says: 'a scenario file must hold one document',
  },
  {name: 'a list instead of a scenario', ...scenario('- a\n'), says: 'must be a map'},
  {name: 'a text instead of a scenario', ...scenario('hello\n'), says: 'must be a map'},
  {name: 'invalid YAML', ...scenario('name: [a\n'), says: 'invalid YAML'},
  {name: 'a tab in YAML', ...scenario(steps('\t- wait: 5s\n')), says: 'invalid YAML'},
  {
    name: 'a tab after spaces, of which the parser names a consequence',
    ...scenario(steps('  - name: a\n  \twait: 5s\n')),
    says: ':4:3: invalid YAML: Tabs are not allowed as indentation',
  },
  {
    name: 'a tab after a space in the line after the one that the parser names',
    ...scenario('name: a\n \tsteps: []\n'),
    says: ':2:2: invalid YAML: Tabs are not allowed as indentation',
  },
  {name: 'a key twice', ...scenario('name: a\nname: b\nsteps: []\n'), says: 'invalid YAML'},
  {name: 'an alias to nothing', ...scenario('name: *a\nsteps: []\n'), says: 'invalid YAML'},
  {name: 'binary', ...scenario('\u0000\u0001\u0002'), says: 'the document must be a map'},
  {
    name: 'a version between two that are modelled',
    ...scenario(headed('crossplane: "2.1"')),
    says: 'crossplane: Crossplane "2.1" is not modelled: the nearest versions that are, before and after it, are 1.20 and 2.3',
  },
  {
    name: 'an upgrade to a version between two that are modelled',
    ...scenario(steps('- upgrade: {crossplane: "1.18"}\n')),
    says: 'Crossplane "1.18" is not modelled: the nearest versions that are, before and after it, are 1.16 and 1.19',
  },
  {
    name: 'a version without quotes',
    ...scenario(headed('crossplane: 1.20')),
    says: 'must be a version in quotes such as "1.20"',
  },
  {name: 'an unknown version', ...scenario(headed('crossplane: "1.15"')), says: 'crossplane must be one of 1.16'},
  {
    name: 'an unknown version in a list',
    ...scenario(headed('crossplane: [main, v2]')),
    says: 'crossplane[1] must be one of',
  },
  {name: 'a seed that is a word', ...scenario(headed('seed: x')), says: 'seed must be a number'},
  {name: 'a negative seed', ...scenario(headed('seed: -1')), says: 'seed must be a number >= 0'},
  {name: 'realtime that is a word', ...scenario(headed('realtime: maybe')), says: 'realtime must be true or false'},
  {
    name: 'a fixture that is not there',
    ...scenario(headed('fixtures: [nothing.yaml]')),
    says: 'cannot read file "nothing.yaml": no such file',
  },
  {
    name: 'a fixture that is an empty folder',
    ...scenario(headed('fixtures: [sub]'), {sub: 'a directory'}),
    says: 'folder "sub" must hold .yaml, .yml or .json files, got none',
  },
  {
    name: 'a fixture that is a glob with no match',
    ...scenario(headed('fixtures: ["crds/*.yaml"]')),
    says: 'glob "crds/*.yaml" must match .yaml, .yml or .json files, got none',
  },
  {
    name: 'a fixture that is a broken package',
    ...scenario(headed('fixtures: [provider.xpkg]'), {'provider.xpkg': 'x'}),
    says: 'cannot read package "provider.xpkg": a package is a tar of an OCI image, got something else',
  },
  {
    name: 'a fixture without a kind',
    ...scenario(headed('fixtures: [{apiVersion: v1, metadata: {name: b}}]')),
    says: 'must have a field "kind"',
  },
  {
    name: 'an empty fixture',
    ...scenario(headed('fixtures: [empty.yaml]'), {'empty.yaml': ''}),
    says: 'must hold Kubernetes objects, got none',
  },
  {
    name: 'a fixture of a misspelled kind',
    ...scenario(headed('fixtures: [{apiVersion: pkg.crossplane.io/v1, kind: Funktion, metadata: {name: b}}]')),
    says: 'unknown kind "Funktion" of "b" (pkg.crossplane.io/v1): did you mean "Function"?',
  },
  {
    name: 'a function of no kind',
    ...scenario(headed('functions: {f: {}}')),
    says: 'must have one of builtin, address, command',
  },
  {
    name: 'an unknown builtin',
    ...scenario(headed('functions: {f: {builtin: function-statik}}')),
    says: 'functions.f.builtin must be one of',
  },
  {
    name: 'a command without an address',
    ...scenario(headed('functions: {f: {command: [node]}}')),
    says: 'must have a field "address"',
  },
  {
    name: 'a command that is a text',
    ...scenario(headed('functions: {f: {command: node x, address: "127.0.0.1:1"}}')),
    says: 'must be a list',
  },
  {
    name: 'an empty command',
    ...scenario(headed('functions: {f: {command: [], address: "127.0.0.1:1"}}')),
    says: 'command must name a program',
  },
  {
    name: 'a program that is not there',
    ...scenario(headed('functions: {f: {command: [no-such-program], address: "127.0.0.1:{port}"}}')),
    says: 'cannot start function "f": there is no program "no-such-program" on the PATH',
  },
  {
    name: 'a program that is a directory',
    ...scenario(headed('functions: {f: {command: [./sub], address: "127.0.0.1:{port}"}}'), {sub: 'a directory'}),
    says: '"./sub" is a folder, not a program',
  },
  {
    name: 'a program that may not be run',
    ...scenario(headed('functions: {f: {command: [./text], address: "127.0.0.1:{port}"}}'), {text: 'x'}),
    says: '"./text" may not be executed',
  },
  {
    name: 'a command that ends at once',
    ...scenario(
      headed('functions: {f: {command: [sh, -c, "echo it burns >&2; exit 3"], address: "127.0.0.1:{port}"}}'),
    ),
    says: 'its command ended with exit code 3: it burns',
  },
  {
    name: 'a command that never listens',
    ...scenario(headed('functions: {f: {command: [sleep, "60"], address: "127.0.0.1:{port}", startTimeout: 300ms}}')),
    says: 'no server answers there after 0.3 s; `startTimeout` gives it longer',
  },
  {
    name: 'an address where nobody is',
    ...scenario(headed('functions: {f: {address: "127.0.0.1:1"}}')),
    says: 'cannot reach function "f" at 127.0.0.1:1: no server answers there',
  },
  {
    name: 'a startTimeout without a command',
    ...scenario(headed('functions: {f: {address: "127.0.0.1:1", startTimeout: 1s}}')),
    says: 'startTimeout must stand beside a command',
  },
  {
    name: 'a timeout of a builtin',
    ...scenario(headed('functions: {f: {builtin: passing, timeout: 1s}}')),
    says: 'unknown field "timeout"',
  },
  {
    name: 'an unknown provider',
    ...scenario(headed('provider: {kind: aws}')),
    says: 'provider.kind must be one of managed, nop',
  },
  {
    name: 'an unknown field of the provider',
    ...scenario(headed('provider: {ready: 5s}')),
    says: 'unknown field "ready" in provider',
  },
  {
    name: 'an expectation of nothing',
    ...scenario(steps('- expect: [{absent: true}]\n')),
    says: 'an expectation must have one of',
  },
  {
    name: 'an expectation of an unknown kind',
    ...scenario(steps('- expect: [{object: {kind: Compositon, name: a}, absent: true}]\n')),
    says: 'unknown kind "Compositon": did you mean "Composition"?',
  },
  ...[
    'async: [Secret]',
    'references: [{field: a, kind: Secret}]',
    'externals: {Secret: {}}',
    'kinds: {Secret: {}}',
  ].map((field) => ({
    name: `a kind that no provider manages, in ${field}`,
    ...scenario(headed(`provider: {${field}}`)),
    says: 'unknown managed kind "Secret": known are none; what defines it belongs in `fixtures`',
  })),
  {
    name: 'a kind of the provider whose group is unknown',
    ...scenario(headed('provider: {async: [Secret.example.org]}')),
    says: 'unknown managed kind "Secret.example.org": known are none',
  },
  {
    name: 'a field under references that refers to nothing in any managed kind',
    ...scenario(headed('fixtures: [crd.yaml]\nprovider: {references: [{field: vpcIdd, kind: Subnet}]}'), {
      'crd.yaml': subnetCrd,
    }),
    says: 'provider.references: unknown reference field "vpcIdd": did you mean "vpcId"?',
  },
  {
    name: 'an expectation that says two things',
    ...scenario(steps('- expect: [{object: {kind: Secret, name: a}, absent: true, exists: true}]\n')),
    says: 'exactly one of',
  },
  {
    name: 'exists: false',
    ...scenario(steps('- expect: [{object: {kind: Secret, name: a}, exists: false}]\n')),
    says: 'say absent: true',
  },
  {
    name: 'a condition without a type',
    ...scenario(steps('- expect: [{object: {kind: Secret, name: a}, condition: {}}]\n')),
    says: 'must have a field "type"',
  },
  {
    name: 'a status that is no status',
    ...scenario(steps('- expect: [{object: {kind: Secret, name: a}, condition: {type: Ready, status: Yes}}]\n')),
    says: 'must be one of True, False, Unknown',
  },
  {
    name: 'a count without a number',
    ...scenario(steps('- expect: [{count: {kind: Secret}}]\n')),
    says: 'a count must have one of',
  },
  {
    name: 'an unknown counter',
    ...scenario(steps('- expect: [{externals: made, is: 1}]\n')),
    says: 'externals must be one of alive, creates, deletes',
  },
  {
    name: 'an unknown step to look back to',
    ...scenario(steps('- {name: one, expect: [{untouched: {since: two}}]}\n')),
    says: 'unknown step "two"',
  },
  {name: 'a wait for nothing', ...scenario(steps('- wait: {timeout: 5s}\n')), says: 'must have a field "for"'},
  {
    name: 'a wait for two things',
    ...scenario(steps('- wait: {quiet: 5s, for: {orphans: 0}}\n')),
    says: 'steps[0].wait must have a field "for" or "quiet", got both',
  },
  {
    name: 'an expectation with two subjects',
    ...scenario(steps('- expect: [{orphans: 0, stuck: 0}]\n')),
    says: 'an expectation must have exactly one of holds, object, count, orphans',
  },
  {
    name: 'a fault of a function and of a process',
    ...scenario(steps('- fault: {function: f, error: x, crash: provider, at: y}\n')),
    says: 'a fault must name one of function, crash, forbid, stale, got function and crash',
  },
  {
    name: 'a builtin with an address',
    ...scenario(headed('functions: {f: {builtin: passing, address: "127.0.0.1:1"}}')),
    says: 'unknown field "address" in functions.f: known are builtin',
  },
  {
    name: 'a property without what holds',
    ...scenario(headed('explore: {always: [{name: a}]}')),
    says: 'explore.always[0] must have a field "holds"',
  },
  {
    name: 'a bug that happens sometime',
    ...scenario(`${waiting}variants: [{name: b, happens: {often: main}}]\n`),
    says: 'unknown field "often" in variants[0].happens: known are always, sometimes',
  },
  {
    name: 'a step for an order that is not there',
    ...scenario(headed('anyOrder: [one]')),
    says: 'anyOrder[0] must be one of wait, got "one"',
  },
  {
    name: 'a time of a kind without unit',
    ...scenario(headed('provider: {kinds: {VPC: {readyAfter: 5}}}')),
    says: 'a duration must look like 500ms, 90s or 1m30s, got 5',
  },
  {
    name: 'no number of workers',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--workers', 'few'],
    says: '--workers must be a whole number above 0, got "few"',
  },
  {
    name: 'an unknown process',
    ...scenario(steps('- stop: kubelet\n')),
    says: 'must be one of crossplane, owner-gc, provider',
  },
  {
    name: 'an unknown tool',
    ...scenario(steps('- backup: {tool: kasten}\n')),
    says: 'must be one of velero, etcd, gitops, kubectl',
  },
  {
    name: 'an unknown option of a restore',
    ...scenario(steps('- restore: {ownerRefs: keep}\n')),
    says: 'unknown field "ownerRefs"',
  },
  {
    name: 'a fault of nobody',
    ...scenario(steps('- fault: {error: x}\n')),
    says: 'a fault must name one of function, crash, forbid, stale',
  },
  {
    name: 'a fault of an unknown function',
    ...scenario(steps('- fault: {function: f, error: x}\n')),
    says: 'unknown function "f"',
  },
  {
    name: 'an upgrade to an unknown version',
    ...scenario(steps('- upgrade: {crossplane: "3.0"}\n')),
    says: 'must be one of 1.16',
  },
  {
    name: 'a patch without a body',
    ...scenario(steps('- patch: {kind: Secret, name: a}\n')),
    says: 'must have a field "body"',
  },
  {
    name: 'a variant without a name',
    ...scenario(steps('- wait: 5s\nvariants: [{}]\n')),
    says: 'must have a field "name"',
  },
  {
    name: 'a variant without an unknown function',
    ...scenario(steps('- wait: 5s\nvariants: [{name: b, without: [f]}]\n')),
    says: 'must name a function of this scenario',
  },
  {
    name: 'a modifier of a restore whose patch is no map',
    ...scenario(steps('- restore: {modifiers: [{groupResource: apps.e.org, mergePatch: paused}]}\n')),
    says: 'steps[0].restore.modifiers[0].mergePatch must be a map, got "paused"',
  },
  {
    name: 'a restore without a backup',
    ...scenario(steps('- restore: {}\n')),
    says: 'cannot restore: no step before this one took a backup',
    code: 3,
  },
  {name: 'a wipe of nothing', ...scenario(steps('- wipe: {}\n')), says: 'cannot wipe: name the `kinds`', code: 3},
  {
    name: 'a delete of nothing',
    ...scenario(steps('- delete: {kind: Secret, name: a}\n')),
    says: 'cannot find Secret "a"',
    code: 3,
  },
  {
    name: 'a namespace that is not there',
    ...scenario(steps('- apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}\n')),
    says: 'namespaces "b" not found; add a Namespace',
    code: 3,
  },
  {
    name: 'a placeholder of nothing',
    ...scenario(
      steps('- apply: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {b: "${uid:Secret/c}"}}\n'),
    ),
    says: '${uid:Secret/c} names no object that exists',
    code: 3,
  },
  {
    name: 'an expectation that does not hold',
    ...scenario(steps('- expect: [{orphans: 1}]\n')),
    says: 'expected 1 orphans, got 0',
    code: 3,
  },
  {
    name: 'a wait that does not come',
    ...scenario(steps('- wait: {for: {object: {kind: Secret, name: a}, exists: true}, timeout: 5s}\n')),
    says: 'expected Secret "a", got none within 5.0 s',
    code: 3,
  },
  {name: 'no file', ...scenario(waiting), argv: ['test'], says: 'tether test takes FILE..., got 0 arguments'},
  {
    name: 'a file that is not there',
    ...scenario(waiting),
    argv: ['test', 'nothing.yaml'],
    says: 'cannot read file "nothing.yaml": no such file',
  },
  {
    name: 'a directory',
    ...scenario(waiting, {sub: 'a directory'}),
    argv: ['test', 'sub'],
    says: 'cannot read file "sub": is a directory',
  },
  {
    name: 'an unknown flag',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--htm', 'x'],
    says: "unknown option '--htm': did you mean '--html'?",
  },
  {
    name: 'a flag without its value',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--html'],
    says: "option '--html <value>' argument missing",
  },
  ...(['2.0', 'v2.1.4', '2.2'] as const).map((version) => ({
    name: `Crossplane ${version} as a flag`,
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--crossplane', version],
    says: `Crossplane "${version}" is not modelled: the nearest versions that are, before and after it, are 1.20 and 2.3`,
  })),
  {
    name: 'an unknown version as a flag',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--crossplane', '9'],
    says: 'unknown Crossplane version "9"',
  },
  {
    name: 'a seed that is no number',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--seed', 'x'],
    says: '--seed must be a whole number, got "x"',
  },
  {
    name: 'a call timeout without unit',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--call-timeout', '5'],
    says: '--call-timeout must look like 500ms',
  },
  {
    name: 'an unknown variant',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--variant', 'x'],
    says: 'no variant is named "x"',
  },
  {
    name: 'a name nobody has',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--only', 'x'],
    says: 'nothing is named "x": known are a',
  },
  {
    name: 'one variant side by side',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--side-by-side'],
    says: '--side-by-side needs two variants',
  },
  {
    name: 'functions for a scenario',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--functions', 'x'],
    says: '--functions is for CompositionTest files',
  },
  {
    name: 'an alias inside of its own anchor',
    ...scenario('name: x\nsteps: &all [*all]\n'),
    argv: ['test', 'scenario.yaml'],
    says: 'invalid YAML: an alias is inside of its own anchor',
  },
  {
    name: 'a report over a scenario',
    ...scenario(waiting),
    argv: ['test', '--json', 'scenario.yaml', 'scenario.yaml'],
    says: 'cannot write report "scenario.yaml": no report but --policy-reports is YAML',
  },
  {
    name: 'a report of lint over a manifest',
    ...scenario(waiting),
    argv: ['lint', '--sarif', 'scenario.yaml', 'sub'],
    says: 'cannot write report "scenario.yaml": no report but --policy-reports is YAML',
  },
  {
    name: 'a report of a search over its scenario',
    ...scenario(waiting),
    argv: ['explore', '--json', 'scenario.yaml', 'scenario.yaml'],
    says: 'cannot write report "scenario.yaml": no report but --policy-reports is YAML',
  },
  {
    name: 'a report where no directory is',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--html', 'no/x.html'],
    says: 'cannot write report "no/x.html": no such directory',
  },
  {
    name: 'a report that is a directory',
    ...scenario(waiting, {sub: 'a directory'}),
    argv: ['test', 'scenario.yaml', '--json', 'sub'],
    says: 'cannot write report "sub": is a directory',
  },
  {
    name: 'two reports in one file',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--json', 'x', '--html', 'x'],
    says: 'cannot write two reports to one file',
  },
  {
    name: 'a timeline in JSON',
    ...scenario(waiting),
    argv: ['test', 'scenario.yaml', '--json', '-', '--timeline'],
    says: '--timeline and --json - would both be printed',
  },
  {
    name: 'nothing to explore',
    ...scenario(waiting),
    argv: ['explore'],
    says: 'tether explore takes FILE, got 0 arguments',
  },
  {
    name: 'a property that a story does not have',
    ...scenario(waiting),
    argv: ['explore', 'scenario.yaml', '--property', 'no orphan', '--property', 'every XR sinks'],
    says: 'no property of this story is named "every XR sinks": there are "no orphan is left", ',
  },
  {
    name: 'a property left out that a story does not have',
    ...scenario(waiting),
    argv: ['explore', 'scenario.yaml', '--without', 'every XR sinks'],
    says: 'no property of this story is named "every XR sinks": there are',
  },
  {
    name: 'a property that the scenario leaves out and does not have',
    ...scenario(headed('explore: {without: [every XR sinks]}')),
    argv: ['explore', 'scenario.yaml'],
    says: 'no property of this story is named "every XR sinks": there are',
  },
  {
    name: 'every property left out',
    ...scenario(waiting),
    argv: ['explore', 'scenario.yaml', '--property', 'no orphan', '--without', 'orphan'],
    says: 'every property of this story is left out: "orphan"',
  },
  {
    name: 'a scenario to explore that is not there',
    ...scenario(waiting),
    argv: ['explore', 'nothing.yaml'],
    says: 'no such file',
  },
  {
    name: 'a search of no states',
    ...scenario(waiting),
    argv: ['explore', 'scenario.yaml', '--states', '0'],
    says: '--states must be a whole number above 0, got "0"',
  },
  {
    name: 'no random stories',
    argv: ['never-worse', '--stories', '0'],
    says: '--stories must be a whole number above 0, got "0"',
  },
  {
    name: 'a search that ends before its first story',
    argv: ['never-worse', '--found', '0'],
    says: '--found must be a whole number above 0, got "0"',
  },
  {
    name: 'a function to judge that runs nowhere',
    argv: ['never-worse', '--stories', '1', '--twin', 'acme-guard'],
    says: '--twin names "acme-guard", which does not run in this process: give --function acme-guard=PLACE',
  },
  {
    name: 'an exact count with a bound beside it',
    ...scenario(headed('expect: [{externals: alive, is: 1, atMost: 0}]')),
    says: 'a count must have is alone, got atMost beside it',
  },
  {
    name: 'a count that always holds',
    ...scenario(headed('expect: [{orphans: {atLeast: 0}}]')),
    says: 'a count must be one that can fail, got atLeast 0 alone',
  },
  {
    name: 'CEL that calls an unknown function, which nothing need call',
    ...scenario(headed(`expect: [{holds: "true || objects.startWith('a')"}]`)),
    says: 'unknown function "startWith": did you mean "startsWith"?',
  },
  {
    name: 'CEL with a misspelled macro',
    ...scenario(headed(`expect: [{holds: "objects.exist(o, o.kind == 'Secret')"}]`)),
    says: 'unknown function "exist": did you mean "exists"?',
  },
  {
    name: 'a timeline without a text',
    ...scenario(headed('expect: [{timeline: []}]')),
    says: 'timeline must have at least one text, got none',
  },
  {
    name: 'no path to replay',
    ...scenario(waiting),
    argv: ['replay'],
    says: 'tether replay takes FILE, got 0 arguments',
  },
  {
    name: 'an unknown story',
    ...scenario(waiting),
    argv: ['stories', '--story', 'nobody'],
    says: 'no story is named "nobody"',
  },
  {
    name: 'stories in no folder',
    ...scenario(waiting),
    argv: ['stories', '--examples', 'nowhere'],
    says: 'cannot read folder "nowhere": no such file',
  },
  {
    name: 'half of what a render needs',
    ...scenario(waiting),
    argv: ['render', 'xr.yaml'],
    says: 'tether render takes XR COMPOSITION FUNCTIONS, got 1 argument;',
  },
  {
    name: 'a render of nothing',
    ...scenario(waiting),
    argv: ['render', 'xr.yaml', 'composition.yaml', 'functions.yaml'],
    says: 'no such file',
  },
  {name: 'a request that is not there', ...scenario(waiting), argv: ['explain', 'nothing.json'], says: 'nothing.json'},
  {
    name: 'a configuration that is not there',
    argv: ['init', 'nowhere'],
    says: 'cannot read folder "nowhere": no such folder',
  },
  {
    name: 'a configuration that is a file',
    files: {'one.yaml': definition()},
    argv: ['init', 'one.yaml'],
    says: 'cannot read folder "one.yaml": it is a file',
  },
  {
    name: 'an empty configuration',
    ...init('config-empty', {}),
    says: 'folder "config-empty" must hold .yaml, .yml or .json files, got none',
  },
  {
    name: 'a configuration without a definition',
    ...init('config-bare', {'composition.yaml': composition()}),
    says: 'folder "config-bare" must hold a CompositeResourceDefinition, got only Composition',
  },
  {
    name: 'a definition that nothing composes',
    ...init('config-lonely', {'definition.yaml': definition()}),
    says: 'no Composition in "config-lonely" composes App',
  },
  {
    name: 'two Compositions for one XR',
    ...init('config-twins', {'a.yaml': `${definition()}---\n${composition('one')}---\n${composition('two')}`}),
    says: 'App has 2 Compositions, one (a.yaml), two (a.yaml): name one with --composition NAME',
  },
  {
    name: 'a Composition that is not there',
    ...init('config-wrong', {'a.yaml': `${definition()}---\n${composition('one')}`}, '--composition', 'three'),
    says: 'no Composition of App has the name "three": there are one (a.yaml)',
  },
  {
    name: 'a Composition without a pipeline',
    ...init('config-old', {'a.yaml': `${definition()}---\n${composition('one', 'mode: Resources')}`}),
    says: 'Composition "one" must have mode Pipeline: native patch-and-transform is gone since Crossplane 2.0',
  },
  {
    name: 'two APIs and no example',
    ...init('config-two', {'a.yaml': `${definition('App')}---\n${definition('Shop')}`}),
    says: 'folder "config-two" has 2 APIs and no example of any: choose one with --api KIND or --xr FILE, or write a scenario of each with --all',
  },
  {
    name: 'two APIs with examples',
    ...init('config-both', {
      'a.yaml': `${definition('App')}---\n${definition('Shop')}`,
      'app.yaml': xr('App'),
      'shop.yaml': xr('Shop'),
    }),
    says: 'folder "config-both" has 2 APIs and examples of 2: choose one with --api KIND or --xr FILE, or write a scenario of each with --all',
  },
  {
    name: 'an example that is none',
    ...init('config-none', {'a.yaml': definition(), 'b.yaml': xr('App')}, '--xr', 'elsewhere.yaml'),
    says: '--xr "elsewhere.yaml" must be a file of the folder with an XR of one of its definitions: there are config-none/b.yaml',
  },
  {
    name: 'a function that nobody calls',
    ...init('config-calls', {'a.yaml': `${definition()}---\n${composition()}`}, '--function', 'function-b=localhost:1'),
    says: '--function names "function-b", which no pipeline calls: pipelines call acme-function-a',
  },
  {
    name: 'a function that runs nowhere',
    ...init('config-where', {'a.yaml': `${definition()}---\n${composition()}`}, '--function', 'function-a'),
    says: '--function must look like NAME=HOST:PORT or NAME=COMMAND, got "function-a"',
  },
  {
    name: 'a function where nobody answers',
    ...init(
      'config-silent',
      {'a.yaml': `${definition()}---\n${composition()}`},
      '--function',
      'function-a=127.0.0.1:1',
    ),
    says: 'cannot reach function "acme-function-a" at 127.0.0.1:1: no server answers there',
  },
  {
    name: 'a function that is no program',
    ...init(
      'config-program',
      {'a.yaml': `${definition()}---\n${composition()}`},
      '--function',
      'function-a=no-such-program -x',
    ),
    says: 'cannot start function "acme-function-a": there is no program "no-such-program" on the PATH',
  },
  {
    name: 'definitions that are none',
    ...init(
      'config-crds',
      {'a.yaml': `${definition()}---\n${composition()}`, 'b.yaml': xr('App')},
      '--crds',
      'config-crds',
    ),
    says: '--crds "config-crds" must hold CustomResourceDefinitions, got none',
  },
  {
    name: 'a scenario that is there',
    ...init('config-there', {'a.yaml': definition(), 'tether/scenario.yaml': 'name: mine\n'}),
    says: 'cannot write config-there/tether/scenario.yaml: there already; --force writes over',
  },
  {name: 'two configurations', argv: ['init', 'sub', 'nowhere'], says: 'tether init takes [FOLDER], got 2 arguments'},
  {
    name: 'a misspelled flag of init',
    argv: ['init', '--crd', 'x'],
    says: "unknown option '--crd': did you mean '--crds'?",
  },
  {name: 'no source', argv: ['rehearse'], says: 'tether rehearse takes SOURCE, got 0 arguments'},
  {name: 'a source that is not there', argv: ['rehearse', 'nowhere.yaml'], says: 'cannot read "nowhere.yaml"'},
  {
    name: 'a source with a function nobody gave',
    ...rehearse(),
    says: 'cannot rehearse without function "acme-function-a", which Compositions in use call: give --function acme-function-a=HOST:PORT',
  },
  {
    name: 'a function that no Composition calls',
    ...rehearse('--function', 'function-b=localhost:1'),
    says: '--function names "function-b", which no pipeline calls: pipelines call acme-function-a',
  },
  {
    name: 'an option of Velero for a restore by another tool',
    ...rehearse('--restore', 'etcd', '--existing-resource-policy', 'update'),
    says: "--existing-resource-policy is Velero's, got --restore etcd",
  },
  {
    name: 'a timeline in the JSON of a plan',
    ...rehearse('--json', '-', '--timeline'),
    says: '--timeline and --json - would both be printed: give one',
  },
  {
    name: 'a report other than JSON on the terminal',
    ...rehearse('--html', '-'),
    says: 'only --json goes to the terminal: "-" names no file for another report',
  },
  {
    name: 'a function that runs at two places',
    ...rehearse('--function', 'acme-function-a=localhost:1', '--function', 'acme-function-a=passing'),
    says: '--function must say once where "acme-function-a" runs, got it twice',
  },
  {
    name: 'the deletion of what the source does not have',
    ...rehearse('--delete', 'App/y'),
    says: '--delete App/y is not in the source: its App objects are x',
  },
  {
    name: 'a deletion that names no object',
    ...rehearse('--delete', 'App'),
    says: '--delete must look like KIND/NAME or KIND/NAMESPACE/NAME, got "App"',
  },
  {
    name: 'a deletion that names two objects',
    argv: ['rehearse', 'source.yaml', '--delete', 'App/x'],
    files: {'source.yaml': `${xr('App')}---\n${xr('App').replace('e.org/v1', 'f.org/v1')}`},
    says: '--delete App/x names more than one object: say which, as in App.e.org/x and App.f.org/x',
  },
  {
    name: 'an option of a restore without one',
    ...rehearse('--stopped', 'crossplane'),
    says: '--stopped does nothing without --restore',
  },
  {
    name: 'a process that is none',
    ...rehearse('--restore', 'velero', '--stopped', 'etcd'),
    says: '--stopped must be one of crossplane, provider, owner-gc, got "etcd"',
  },
  {
    name: 'two restores',
    ...rehearse('--restore', 'velero', '--restore', 'etcd'),
    says: '--restore may be given once',
  },
  {
    name: 'a function that nobody can be without',
    ...rehearse('--without', 'function-b'),
    says: '--without function-b leaves out nothing: Compositions call acme-function-a',
  },
  {
    name: 'a finding that is none',
    ...rehearse('--fail-on', 'gone'),
    says: '--fail-on must be one of destroyed, doubled, left-behind, orphaned, lost, not-ready, stuck, step-failed, got "gone"',
  },
  {
    name: 'units of faults where none are searched',
    ...rehearse('--budget', 'crash=1'),
    says: '--budget does nothing without --explore',
  },
  {
    name: 'faults around a plan that is another restore',
    ...rehearse('--restore', 'velero', '--plan', 'plan.md', '--explore'),
    says: '--explore searches the restore as it is asked for, and --plan looks for another: give one',
  },
  {
    name: 'a bound of a search for one path of it',
    ...rehearse('--explore', '--path', '0', '--seconds', '1'),
    says: '--seconds is for a search, and --path takes one path of it',
  },
  {
    name: 'a search for no fault',
    ...rehearse('--explore', '--budget', 'crash=0'),
    says: '--explore with no unit of any kind searches nothing',
  },
  {
    name: 'a search for a fault that is none',
    ...rehearse('--explore', '--budget', 'fire=1'),
    says: '--budget must be one of operator, early,',
  },
  {
    name: 'faults around an upgrade',
    ...rehearse('--upgrade-crossplane', '2.3', '--explore', '--function', 'acme-function-a=passing'),
    says: 'cannot search the faults around an upgrade: one version of Crossplane is searched at a time',
  },
  {
    name: 'a resource that no backup has',
    ...rehearse('--function', 'acme-function-a=passing', '--restore', 'velero', '--exclude-resources', 'xappz'),
    says: 'cannot restore: unknown resource "xappz": ',
  },
  {
    name: 'a resource without its group',
    ...rehearse('--function', 'acme-function-a=passing', '--restore', 'velero', '--include-resources', 'apps'),
    says: 'cannot restore: unknown resource "apps": did you mean "apps.',
  },
  {name: 'an audit of nothing', argv: ['audit'], says: 'tether audit takes SOURCE, got 0 arguments'},
  {name: 'an audit of what is not there', argv: ['audit', 'gone.yaml'], says: 'cannot read "gone.yaml": no such file'},
  {
    name: 'an audit of two sources',
    argv: ['audit', 'a.yaml', 'b.yaml'],
    says: 'tether audit takes SOURCE, got 2 arguments',
  },
  {
    name: 'an audit of no archive',
    argv: ['audit', 'x.gz'],
    files: {'x.gz': 'not one'},
    says: 'cannot read "x.gz": expected Kubernetes objects, got none',
  },
  {
    name: 'an audit that fails on nothing known',
    argv: ['audit', 'a.yaml', '--fail-on', 'orphans'],
    says: '--fail-on must be one of error, warning, note, doubled, orphan',
  },
  {
    name: 'the context of a file',
    argv: ['audit', 'a.yaml', '--context', 'prod'],
    says: '--context is for the source "cluster", got source',
  },
  {
    name: 'a baseline that is none',
    argv: ['audit', 'a.yaml', '--baseline', 'b.json'],
    files: {'b.json': '{"version": 1}'},
    says: 'b.json:1:1: the document must have a field "source"',
  },
];
