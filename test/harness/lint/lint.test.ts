import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {
  fatal,
  getObservedComposedResources,
  Ready,
  Requirements,
  Resource,
  RunFunctionRequest,
  RunFunctionResponse,
  to,
} from '@crossplane-org/function-sdk-typescript';
import {afterEach, describe, expect, test} from 'vitest';
import {runFunction} from '../../../src/function/run.ts';
import {type Builtins, builtins} from '../../../src/harness/functions/builtin.ts';
import {lint} from '../../../src/harness/lint/lint.ts';
import {lintJson, lintSarif, lintText} from '../../../src/harness/lint/lint-reports.ts';

// lint on small folders. The function of each pipeline is a few lines of the TypeScript SDK.

type Compose = (
  request: RunFunctionRequest,
  desire: (name: string, object: object) => void,
  requireEnvironment: (matchName: string) => void,
) => string | undefined;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, {recursive: true});
});

const key = {apiVersion: 'kms.example.org/v1', kind: 'Key', spec: {forProvider: {region: 'eu'}}};
const policy = {apiVersion: 'iam.example.org/v1', kind: 'Policy', spec: {forProvider: {name: 'access'}}};

/** The commonest idiom: the policy once the key has an id. */
const byStatus: Compose = (request, desire) => {
  desire('key', key);
  const observed = getObservedComposedResources(request)['key']?.resource as {status?: {atProvider?: {id?: string}}};
  if (observed?.status?.atProvider?.id !== undefined) desire('policy', policy);
  return undefined;
};

function asBuiltin(compose: Compose): Builtins[string] {
  return (bytes) => {
    const request = RunFunctionRequest.decode(bytes);
    const response = to(request);
    response.desired ??= {composite: undefined, resources: {}};
    const {resources} = response.desired;
    const environment = {apiVersion: 'apiextensions.crossplane.io/v1beta1', kind: 'EnvironmentConfig'};
    const refusal = compose(
      request,
      (name, resource) => {
        resources[name] = {...Resource.fromJSON({resource}), ready: Ready.READY_TRUE};
      },
      (matchName) => {
        const resources = {environment: {...environment, matchName}};
        response.requirements = Requirements.fromJSON({resources});
      },
    );
    if (refusal !== undefined) fatal(response, refusal);
    return {ok: true, response: RunFunctionResponse.encode(response).finish()};
  };
}

const tetherStep = {step: 'tether', functionRef: {name: 'function-tether'}};
const composeStep = {step: 'compose', functionRef: {name: 'function-compose'}};

function folderWith(pipeline: readonly object[], more: readonly object[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'tether-lint-'));
  folders.push(folder);
  const schema = {
    type: 'object',
    properties: {spec: {type: 'object'}, status: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}},
  };
  const xrd = {
    apiVersion: 'apiextensions.crossplane.io/v2',
    kind: 'CompositeResourceDefinition',
    metadata: {name: 'xvaults.example.org'},
    spec: {
      scope: 'Cluster',
      group: 'example.org',
      names: {kind: 'XVault', plural: 'xvaults'},
      versions: [{name: 'v1', served: true, referenceable: true, schema: {openAPIV3Schema: schema}}],
    },
  };
  const composition = {
    apiVersion: 'apiextensions.crossplane.io/v1',
    kind: 'Composition',
    metadata: {name: 'xvaults'},
    spec: {compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'XVault'}, mode: 'Pipeline', pipeline},
  };
  const xr = {apiVersion: 'example.org/v1', kind: 'XVault', metadata: {name: 'prod', uid: 'of-an-export'}, spec: {}};
  const documents = [xrd, composition, xr, ...more].map((one) => JSON.stringify(one, undefined, 2));
  writeFileSync(join(folder, 'all.yaml'), documents.join('\n---\n'));
  return folder;
}

function linted(pipeline: readonly object[], compose = byStatus, more: readonly object[] = []) {
  return lintedIn(folderWith(pipeline, more), compose);
}

function lintedIn(paths: string | readonly string[], compose = byStatus) {
  return lint({
    paths: [paths].flat(),
    crds: [],
    functions: [],
    crossplane: 'main',
    builtins: {
      ...builtins,
      'function-tether': (request) => ({ok: true, response: runFunction(request)}),
      'function-compose': asBuiltin(compose) as Builtins[string],
    },
    progress: () => {},
  });
}

const classesOf = ({findings}: Awaited<ReturnType<typeof lint>>) =>
  [...new Set(findings.map((finding) => finding.class))].filter((name) => name !== 'no-definition');

describe('a resource that is composed by the status of another one', () => {
  test('is named, with the other one', async () => {
    const {findings, called} = await linted([composeStep]);
    expect(called).toEqual(['xvaults']);
    expect(findings[0]).toMatchObject({
      class: 'status-gap',
      object: 'Composition/xvaults',
      sentence: '"policy" is not desired while the status of "key" is gone',
    });
  });

  test('is no finding if the pipeline desires it all the same', async () => {
    const always: Compose = (_, desire) => {
      desire('key', key);
      desire('policy', policy);
      return undefined;
    };
    expect(classesOf(await linted([composeStep], always))).toEqual([]);
  });

  test('is no finding if the pipeline fails without the status: nothing changes then', async () => {
    const failing: Compose = (request, desire, requireEnvironment) => {
      const observed = getObservedComposedResources(request)['key']?.resource as {status?: object} | undefined;
      if (observed !== undefined && observed.status === undefined) return 'no status of the key';
      return byStatus(request, desire, requireEnvironment);
    };
    expect(classesOf(await linted([composeStep], failing))).toEqual([]);
  });
});

describe('a field that a Go template has no value for', () => {
  const printed = (fields: (id: string) => object): Compose => {
    return (request, desire) => {
      const observed = getObservedComposedResources(request)['key']?.resource as typeof keyed;
      desire('key', key);
      desire('policy', {...policy, spec: {forProvider: fields(observed?.status?.atProvider?.id ?? '<no value>')}});
      return undefined;
    };
  };
  const keyed: {status?: {atProvider?: {id?: string}}} | undefined = undefined;

  test('is named by its path, as one at rest or as one while a status is gone', async () => {
    const sentences = async (compose: Compose) => {
      const {findings} = await linted([composeStep], compose);
      return findings.flatMap(({class: name, sentence}) => (name.startsWith('no-value') ? [[name, sentence]] : []));
    };
    const place = '"policy" has "<no value>" in spec.forProvider';
    expect(await sentences(printed((id) => ({keys: [{id: `key/${id}`}]})))).toEqual([
      ['no-value', `${place}.keys[0].id while a status is gone`],
    ]);
    expect(await sentences(printed(() => ({name: '<no value>'})))).toEqual([['no-value-at-rest', `${place}.name`]]);
    expect(await sentences(byStatus)).toEqual([]);
  });
});

test('the connection Secret of a legacy XR is no composed resource', async () => {
  const folder = folderWith([composeStep]);
  const file = join(folder, 'all.yaml');
  const legacy = readFileSync(file, 'utf8')
    .replace('apiextensions.crossplane.io/v2', 'apiextensions.crossplane.io/v1')
    .replace(/"scope": "Cluster",/, '')
    .replace('"spec": {}', '"spec": {"writeConnectionSecretToRef": {"name": "conn", "namespace": "default"}}');
  writeFileSync(file, legacy);
  expect(classesOf(await lintedIn(folder))).toEqual(['status-gap']);
});

test('a pipeline that fails on identifiers of the simulated cloud is not judged', async () => {
  const parsing: Compose = (request, desire) => {
    const seen = getObservedComposedResources(request)['key']?.resource as {status?: {atProvider?: object}} | undefined;
    if (seen?.status?.atProvider !== undefined) return 'no project in the id';
    desire('key', key);
    return undefined;
  };
  const {findings, notJudged} = await linted([composeStep], parsing);
  expect(findings.map((one) => one.class)).not.toContain('does-not-compose');
  expect(notJudged.join()).toContain('fails once the simulated cloud has answered');
});

test('a pipeline that fails without an object which no file has is not judged', async () => {
  const reading: Compose = (request, desire, requireEnvironment) => {
    requireEnvironment('region');
    desire('key', key);
    const read = request.requiredResources['environment'];
    return read?.items.length === 0 ? 'no environment' : undefined;
  };
  const environment = {
    apiVersion: 'apiextensions.crossplane.io/v1beta1',
    kind: 'EnvironmentConfig',
    metadata: {name: 'region'},
    data: {region: 'eu'},
  };
  const {findings, notJudged} = await linted([composeStep], reading);
  expect(findings).toEqual([]);
  expect(notJudged.join()).toContain('a function asks for EnvironmentConfig region, which no file has');
  const withIt = await linted([composeStep], reading, [environment]);
  expect(withIt.notJudged).toEqual([]);
  expect(classesOf(withIt)).toEqual([]);
});

test('an example in a namespace that no API server has is refused, and one whose namespace a tool fills in is passed over', async () => {
  const sentences = async (namespace: string) => {
    const folder = folderWith([composeStep]);
    const [xrd = '', composition = '', xr = '', ...rest] = readFileSync(join(folder, 'all.yaml'), 'utf8').split(
      '\n---\n',
    );
    const namespaced = xrd.replace('"scope": "Cluster"', '"scope": "Namespaced"');
    const placed = xr.replace(/("metadata": \{)/, `$1"namespace": ${JSON.stringify(namespace)},`);
    writeFileSync(join(folder, 'all.yaml'), [namespaced, composition, placed, ...rest].join('\n---\n'));
    const {findings, notJudged} = await lintedIn(folder);
    return [...findings.map((one) => one.sentence), ...notJudged].join();
  };
  expect(await sentences('Team_A')).toContain('namespaces "Team_A" not found');
  expect(await sentences('($namespace)')).toContain('objects whose name is an expression');
});

test('an XR made up from the schema is no evidence that the pipeline fails', async () => {
  const folder = folderWith([composeStep]);
  const file = join(folder, 'all.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').split('\n---\n').slice(0, 2).join('\n---\n'));
  const {findings, notJudged} = await lintedIn(folder, () => 'no region');
  expect(findings).toEqual([]);
  expect(notJudged.join()).toContain('no example of its XR is in these files');
});

describe('a Composition as written', () => {
  test('is for a version that its definition serves', async () => {
    const folder = folderWith([composeStep]);
    const file = join(folder, 'all.yaml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/("compositeTypeRef": \{\s*"apiVersion": "example.org\/)v1/, '$1v2'));
    const {findings, called} = await lintedIn(folder);
    expect(findings.map((one) => [one.class, one.sentence])).toEqual([
      ['does-not-compose', 'no XR can select it: xvaults.example.org serves v1, not v2'],
    ]);
    expect(called).toEqual([]);
  });

  test('and its example are of a version that is served', async () => {
    const folder = folderWith([composeStep]);
    const file = join(folder, 'all.yaml');
    const [xrd, ...rest] = readFileSync(file, 'utf8').split('\n---\n');
    const others = rest.map((text) => text.replaceAll('example.org/v1', 'example.org/v2'));
    writeFileSync(file, [xrd, ...others].join('\n---\n'));
    const {findings} = await lintedIn(folder);
    expect(findings.map((one) => [one.class, one.sentence])).toEqual([
      ['refused', expect.stringContaining('this control plane serves it as example.org/v1')],
      ['does-not-compose', 'no XR can select it: xvaults.example.org serves v1, not v2'],
    ]);
  });

  test('is for a version that is served', async () => {
    const folder = folderWith([composeStep]);
    const file = join(folder, 'all.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"served": true', '"served": false'));
    const {findings, called} = await lintedIn(folder);
    expect(findings.map((one) => one.sentence)).toContain(
      'no XR can select it: xvaults.example.org serves none, not v1',
    );
    expect(called).toEqual([]);
  });

  test('is not judged where several definitions of its kind serve other versions: folders of examples have many', async () => {
    const folder = folderWith([composeStep]);
    const file = join(folder, 'all.yaml');
    const [xrd = '', ...rest] = readFileSync(file, 'utf8').split('\n---\n');
    writeFileSync(join(folder, 'xrd.yaml'), xrd);
    const others = rest.map((text) => text.replaceAll('example.org/v1', 'example.org/v2'));
    writeFileSync(file, [xrd, ...others].join('\n---\n'));
    const {findings, notJudged} = await lintedIn(folder);
    expect(findings).toEqual([]);
    expect(notJudged.join()).toContain('no definition in these files serves example.org/v2 XVault');
  });

  test('is for a kind that is defined: a misspelled one is a finding, one of another repository is not judged', async () => {
    const naming = async (kind: string) => {
      const folder = folderWith([composeStep]);
      const file = join(folder, 'all.yaml');
      const [xrd, composition] = readFileSync(file, 'utf8').split('\n---\n');
      writeFileSync(file, [xrd, composition?.replace('"kind": "XVault"', `"kind": "${kind}"`)].join('\n---\n'));
      const {findings, notJudged} = await lintedIn(folder);
      return [...findings.map((one) => one.sentence), ...notJudged].join();
    };
    const sentence = 'no definition in these files serves example.org/v1';
    expect(await naming('XVualt')).toBe(`${sentence} XVualt: did you mean XVault.example.org?`);
    expect(await naming('XDisk')).toContain(`all.yaml: Composition/xvaults: ${sentence} XDisk`);
  });

  test('has function-tether last, but for steps that only set readiness', async () => {
    const later = {step: 'later', functionRef: {name: 'function-compose'}};
    expect(classesOf(await linted([tetherStep, later]))).toContain('not-last');
    const {findings: ofTwo} = await linted([composeStep, tetherStep, {...tetherStep, step: 'again'}]);
    const [sentence] = ofTwo.filter((finding) => finding.class === 'not-last').map((finding) => finding.sentence);
    expect(sentence).toContain('"again" after function-tether replaces its condition Tethered');
    const ready = {step: 'ready', functionRef: {name: 'crossplane-contrib-function-auto-ready'}};
    const {findings, notJudged} = await linted([composeStep, tetherStep, ready]);
    expect(findings.map((finding) => finding.class)).not.toContain('not-last');
    expect(notJudged.join()).toContain('--function says where "crossplane-contrib-function-auto-ready" runs');
  });

  test('says which resources a policy Confirm is for', async () => {
    const input = {
      apiVersion: 'tether.fn.crossplane.io/v1beta1',
      kind: 'Input',
      removal: {policies: [{policy: 'Confirm'}, {policy: 'Confirm', match: {resources: ['key']}}, {policy: 'Orphan'}]},
    };
    const {findings} = await linted([composeStep, {...tetherStep, input}]);
    const found = findings.filter((finding) => finding.class === 'keeps-everything');
    expect(found).toEqual([
      expect.objectContaining({
        sentence: 'removal.policies[0] with policy Confirm has no match',
        place: expect.stringMatching(/all\.yaml:\d+:\d+$/),
      }),
    ]);
  });

  test('has a pipeline', async () => {
    const native = {
      apiVersion: 'apiextensions.crossplane.io/v1',
      kind: 'Composition',
      metadata: {name: 'native'},
      spec: {compositeTypeRef: {apiVersion: 'example.org/v1', kind: 'XVault'}, resources: []},
    };
    expect(classesOf(await linted([composeStep], byStatus, [native]))).toContain('native-mode');
    const {resources: _, ...spec} = native.spec;
    const modeless = {...native, spec: {...spec, pipeline: [composeStep]}};
    expect(classesOf(await linted([composeStep], byStatus, [modeless]))).not.toContain('native-mode');
  });

  test('has an input that function-tether takes, also where no other function can run', async () => {
    const input = {apiVersion: 'tether.fn.crossplane.io/v1beta1', kind: 'Input', removal: {polices: []}};
    const later = {step: 'elsewhere', functionRef: {name: 'function-elsewhere'}};
    const {findings, notJudged} = await linted([later, {...tetherStep, input}]);
    expect(findings).toEqual([
      expect.objectContaining({
        class: 'does-not-compose',
        sentence: expect.stringContaining('cannot use input.removal.polices'),
        place: expect.stringMatching(/all\.yaml:\d+:\d+$/),
      }),
    ]);
    expect(notJudged).toEqual([]);
  });

  test('is one that the API server takes', async () => {
    for (const [pipeline, sentence] of [
      [[null], 'element 0: associative list with keys may not have a null element'],
      [[{step: 'a'}], 'spec.pipeline[0].functionRef: Required value'],
      [[composeStep, composeStep], 'duplicate entries for key [step="compose"]'],
    ] as const) {
      const {findings, called} = await linted(pipeline as never);
      expect(findings.filter((finding) => finding.class === 'refused')).toEqual([
        expect.objectContaining({object: 'Composition/xvaults', sentence: expect.stringContaining(sentence)}),
      ]);
      expect(called).toEqual([]);
    }
  });

  test('is of a definition whose CustomResourceDefinition the API server takes', async () => {
    const folder = folderWith([composeStep]);
    const file = join(folder, 'all.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"xvaults.example.org"', '"vaults.example.org"'));
    expect((await lintedIn(folder)).findings).toContainEqual(
      expect.objectContaining({
        class: 'refused',
        object: 'CompositeResourceDefinition/vaults.example.org',
        sentence: expect.stringContaining('must be spec.names.plural+"."+spec.group'),
      }),
    );
  });

  test('is of a definition that is named PLURAL.GROUP', async () => {
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: {name: 'things'},
      spec: {group: 'example.org', names: {kind: 'Thing', plural: 'things'}, scope: 'Cluster', versions: []},
    };
    const {findings} = await linted([composeStep], byStatus, [crd]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        class: 'refused',
        sentence: 'metadata.name must be things.example.org, got things',
      }),
    );
  });
});

describe('an example', () => {
  const sized = {type: 'object', properties: {size: {type: 'string'}}};
  const example = (name: string, spec: object) => ({
    apiVersion: 'example.org/v1',
    kind: 'XVault',
    metadata: {name},
    spec,
  });
  const withSizes = (...examples: readonly object[]) => {
    const folder = folderWith([composeStep], examples);
    const file = join(folder, 'all.yaml');
    const text = readFileSync(file, 'utf8').replace(
      /"spec": \{\s*"type": "object"\s*\}/,
      `"spec": ${JSON.stringify(sized)}`,
    );
    writeFileSync(file, text);
    return folder;
  };

  test('has no field that its definition does not know, and none of a wrong type', async () => {
    const folder = withSizes(
      example('typo', {seize: 'big'}),
      example('number', {size: 7}),
      example('fine', {size: 'big'}),
    );
    const {findings} = await lintedIn(folder, () => undefined);
    expect(findings.map(({object, sentence}) => [object, sentence.slice(sentence.indexOf('.spec'))])).toEqual([
      ['XVault/typo', '.spec.seize: field not declared in schema'],
      ['XVault/number', expect.stringContaining('.spec.size: expected string')],
    ]);
    expect(findings[0]?.place).toMatch(/:\d+:\d+$/);
  });

  test('is tried, each of them', async () => {
    const byLastExample: Compose = (request, desire, requireEnvironment) => {
      const xr = request.observed?.composite?.resource as {spec?: {size?: string}};
      if (xr.spec?.size === 'big') return byStatus(request, desire, requireEnvironment);
      desire('key', key);
      return undefined;
    };
    const {findings} = await lintedIn(withSizes(example('last', {size: 'big'})), byLastExample);
    expect(findings.filter(({class: name}) => name === 'status-gap')).toHaveLength(1);
  });

  test('shows nothing of a pipeline that composes nothing for it', async () => {
    const folder = folderWith([composeStep]);
    const {findings, called, notJudged} = await lintedIn(folder, () => undefined);
    expect({findings, called, notJudged}).toEqual({
      findings: [],
      called: [],
      notJudged: [`${join(folder, 'all.yaml')}: Composition/xvaults: it composes nothing for XVault "prod"`],
    });
  });

  test('that selects another Composition is not judged', async () => {
    const named = example('other', {crossplane: {compositionRef: {name: 'elsewhere'}}});
    const labelled = example('labelled', {crossplane: {compositionSelector: {matchLabels: {cloud: 'none'}}}});
    const folder = folderWith([composeStep], [named, labelled]);
    const {notJudged} = await lintedIn(folder);
    expect(notJudged).toEqual(
      ['other', 'labelled'].map(
        (name) => `XVault/${name} of ${join(folder, 'all.yaml')} selects no Composition in these files`,
      ),
    );
  });

  test('is none if a tool wrote it, with a status', async () => {
    const rendered = {...example('rendered', {seize: 'big'}), status: {conditions: []}};
    expect(classesOf(await lintedIn(withSizes(rendered)))).toEqual(['status-gap']);
  });
});

test('a place of --function where nothing runs is refused, as is a name that no pipeline calls', async () => {
  const folder = folderWith([composeStep]);
  const told = (text: string) =>
    lint({paths: [folder], crds: [], functions: [text], crossplane: 'main', builtins, progress: () => {}});
  await expect(told('function-compose=/nowhere/at-all')).rejects.toThrow('there is no program "/nowhere/at-all"');
  await expect(told('function-compase=localhost:1')).rejects.toThrow('which no pipeline calls');
});

describe('of files, folders and globs', () => {
  test('all are read together, each file once', async () => {
    const [folder, other] = [folderWith([composeStep, tetherStep, tetherStep]), folderWith([composeStep])];
    const file = join(folder, 'all.yaml');
    symlinkSync(file, join(other, 'same.yaml'));
    rmSync(join(other, 'all.yaml'));
    const whole = await lintedIn(folder);
    expect(classesOf(whole)).toContain('not-last');
    const again = await lintedIn([folder, join(folder, '*.yaml'), file, other]);
    expect({...again, paths: []}).toEqual({...whole, paths: []});
  });

  test.each([
    ['a file that is missing', 'gone.yaml', 'cannot read file'],
    ['a glob that matches nothing', 'gone/*.yaml', 'must match .yaml, .yml or .json files, got none'],
    ['a file without objects', 'values.json', 'must hold Kubernetes objects, got none'],
    ['a file that is no YAML', 'broken.yaml', 'broken.yaml:1:'],
    ['a package', 'built.xpkg', 'it is a package; name the files that it is built of'],
  ])('%s is refused', async (_, name, sentence) => {
    const folder = folderWith([composeStep]);
    writeFileSync(join(folder, 'values.json'), '{"a": 1}');
    writeFileSync(join(folder, 'broken.yaml'), 'a: {');
    writeFileSync(join(folder, 'built.xpkg'), '');
    await expect(lintedIn([folder, join(folder, name)])).rejects.toThrow(sentence);
  });

  test('a definition alone is nothing to judge', async () => {
    const folder = folderWith([]);
    const file = join(folder, 'definition.json');
    const {group, names, versions} = {group: 'a.org', names: {kind: 'XA', plural: 'xas'}, versions: []};
    const xrd = {apiVersion: 'apiextensions.crossplane.io/v2', kind: 'CompositeResourceDefinition'};
    writeFileSync(file, JSON.stringify({...xrd, metadata: {name: 'xas.a.org'}, spec: {group, names, versions}}));
    await expect(lintedIn(file)).rejects.toThrow(`"${file}" must hold a Composition, got none`);
  });

  test('a folder of Helm templates is told what was passed over', async () => {
    const folder = folderWith([]);
    const chart = join(folder, 'composition.yaml');
    writeFileSync(join(folder, 'all.yaml'), '');
    writeFileSync(chart, 'kind: Composition\nmetadata: {{ .Values.metadata }}\n');
    await expect(lintedIn(folder)).rejects.toThrow(`got none; passed over: ${chart}:2:12: a Helm template is no YAML`);
  });
});

test('a folder is told what of it is passed over', async () => {
  const nameless = {apiVersion: 'apiextensions.crossplane.io/v1', kind: 'Composition', metadata: {}, spec: {}};
  const folder = folderWith([composeStep], [nameless]);
  symlinkSync('nowhere.yaml', join(folder, 'dangling.yaml'));
  expect((await lintedIn(folder)).notJudged).toEqual([
    `passed over: ${join(folder, 'all.yaml')}: Composition without metadata.name`,
    'passed over: dangling.yaml (a link to nothing)',
  ]);
});

test.each(['${cluster}', '{{ .Values.cluster }}'])(
  '%s in a label is the word of a template, and no finding',
  async (label) => {
    const example = {
      apiVersion: 'example.org/v1',
      kind: 'XVault',
      metadata: {name: 'b', labels: {of: label}},
      spec: {},
    };
    const {findings, notJudged} = await linted([composeStep], byStatus, [example]);
    expect(findings.map((one) => one.class)).not.toContain('refused');
    expect(notJudged.join('\n')).toContain('XVault/b: a template: on Crossplane main: ');
  },
);

test('annotations and labels that are null are absent, as an API server has it', async () => {
  const manifest = {
    apiVersion: 'pkg.crossplane.io/v1',
    kind: 'Function',
    metadata: {name: 'function-compose', annotations: null, labels: null},
    spec: {package: 'example.org/function-compose:v1'},
  };
  expect(classesOf(await linted([composeStep], byStatus, [manifest]))).toEqual(['status-gap']);
});

describe('a pipeline at rest', () => {
  test('desires no object under two names', async () => {
    const twice: Compose = (_, desire) => {
      desire('a', {...key, metadata: {name: 'one'}});
      desire('b', {...key, metadata: {name: 'one'}});
      return undefined;
    };
    const {findings} = await linted([composeStep], twice);
    expect(findings.map(({sentence}) => sentence)).toEqual(['"a" and "b" desire one object']);
  });

  test('makes no Usage wait for its own XR', async () => {
    const usage = {
      apiVersion: 'protection.crossplane.io/v1beta1',
      kind: 'ClusterUsage',
      spec: {
        of: {apiVersion: key.apiVersion, kind: 'Key', resourceRef: {name: 'k'}},
        by: {apiVersion: 'example.org/v1', kind: 'XVault', resourceRef: {name: 'prod'}},
      },
    };
    const withUsage: Compose = (_, desire) => {
      desire('key', {...key, metadata: {name: 'k'}});
      desire('usage', usage);
      return undefined;
    };
    expect(classesOf(await linted([composeStep], withUsage))).toContain('usage-by-own-xr');
  });

  test('is told with the refusal of the API server', async () => {
    const tooLong: Compose = (_, desire) => {
      desire('key', {...key, metadata: {labels: {team: 'y'.repeat(64)}}});
      return undefined;
    };
    const {findings} = await linted([composeStep], tooLong);
    const sentences = findings.filter(({class: name}) => name === 'does-not-compose').map(({sentence}) => sentence);
    expect(sentences.join()).toContain('must be no more than 63');
  });

  test('is told with the sentence of a step that fails', async () => {
    const {findings} = await linted([composeStep], () => 'no region');
    expect(findings[0]).toMatchObject({class: 'does-not-compose', sentence: expect.stringContaining('no region')});
  });
});

test('reports have every finding with its severity and its place', async () => {
  const found = await linted([composeStep]);
  expect(JSON.parse(lintJson(found)).findings[0]).toMatchObject({class: 'status-gap', severity: 'error'});
  const [{results}] = JSON.parse(lintSarif(found)).runs;
  expect(results[0]).toMatchObject({ruleId: 'status-gap', level: 'error'});
  expect(results[0].locations[0].physicalLocation.region.startLine).toBeGreaterThan(1);
  const plain = (_: string, text: string) => text;
  expect(lintText(found, 100, plain as never)).toMatch(/^called the pipelines of xvaults[\s\S]*1 error, 2 notes$/);
});
