// The import rule: which half may know which. `function` never reaches the harness, not even through others.
const mayImport = {
  hash: [],
  wire: [],
  lifecycle: ['hash'],
  explore: [],
  'command-line': [],
  function: ['command-line', 'lifecycle', 'wire'],
  cluster: ['hash', 'wire'],
  harness: ['cluster', 'command-line', 'explore', 'hash', 'wire'],
  cli: ['cluster', 'command-line', 'explore', 'function', 'harness', 'wire'],
};

// The rooms of the cluster, from the ground up: each may know the rooms that it names, all of which stand before it. The
// files beside them (objects, tables, Crossplane's vocabulary) are for all of them, and know none.
const clusterRooms = {
  schema: [],
  cel: ['schema'],
  api: ['cel', 'schema'],
  client: ['api'],
  cloud: [],
  kernel: ['api', 'client', 'cloud'],
  'owner-gc': ['api', 'kernel'],
  'api-controllers': ['api', 'kernel', 'owner-gc'],
  crossplane: ['api', 'client', 'kernel', 'owner-gc'],
  provider: ['api', 'cloud', 'crossplane', 'kernel'],
  backup: ['api', 'kernel'],
};

// The rooms of the harness, from the ground up: each may know the rooms that it names, all of which stand before it.
const harnessRooms = {
  input: [],
  functions: ['input'],
  packages: ['functions', 'input'],
  'control-plane': ['functions', 'input'],
  render: ['functions', 'input'],
  scenario: ['control-plane', 'functions', 'input', 'render'],
  report: ['control-plane', 'input', 'scenario'],
  audit: ['control-plane', 'input', 'report'],
  worlds: ['control-plane', 'scenario'],
  foreign: ['functions', 'input', 'render', 'scenario'],
  library: ['control-plane', 'functions', 'input', 'scenario'],
  init: ['control-plane', 'functions', 'input', 'library', 'packages', 'report', 'scenario'],
  lint: ['functions', 'init', 'input', 'library', 'render', 'report'],
  explore: ['control-plane', 'functions', 'input', 'scenario'],
  twin: ['control-plane', 'explore', 'functions', 'input', 'scenario', 'worlds'],
  rehearse: ['control-plane', 'explore', 'functions', 'input', 'report', 'scenario'],
};

// The rooms inside a room. The files beside those are for all of them, and know none.
const innerRooms = {
  'harness/input': {conceal: [], manifests: [], source: ['manifests']},
  'harness/control-plane': {operator: [], oracle: [], record: ['oracle'], standing: ['oracle']},
  'lifecycle/moves': {handover: [], 'between-xrs': []},
};

/** The rule of a room: of what `closed` matches it knows itself and the rooms that it names. */
const roomOf =
  (folder, closed) =>
  ([name, allowed]) => ({
    name: `${folder}-${name}-imports`,
    severity: 'error',
    from: {path: `^src/${folder}/${name}/`},
    to: {path: closed, pathNot: `^src/${folder}/(${[name, ...allowed].join('|')})/`},
  });

/** The rules of rooms that share a folder with files: a room may know those files, and they know no room. */
const roomsInside = (folder, rooms) => [
  ...Object.entries(rooms).map(roomOf(folder, `^src/${folder}/[^/]+/`)),
  {
    name: `${folder}-files-know-no-room`,
    severity: 'error',
    from: {path: `^src/${folder}/[^/]+\\.ts$`},
    to: {path: `^src/${folder}/[^/]+/`},
  },
];

// What a package says before anything else may be said by every entry of it.
const first = '^src/(needs-node|node-version)\\.ts$';

const layer = ([name, allowed]) => ({
  name: `${name}-imports`,
  severity: 'error',
  from: {path: `^src/${name}/`},
  to: {path: '^src/', pathNot: `^src/(${[name, ...allowed].join('|')})/|${first}`},
});

// The rooms of lifecycle, from the ground up: one stands on those above it.
const lifecycleRooms = {
  words: [],
  facts: ['words'],
  questions: ['facts', 'words'],
  input: ['facts', 'words'],
  templates: ['facts', 'input', 'words'],
  usages: ['facts', 'input', 'questions', 'words'],
  order: ['facts', 'input', 'templates', 'usages', 'words'],
  removal: ['facts', 'input', 'questions', 'usages', 'words'],
  restore: ['facts', 'input', 'questions', 'usages', 'words'],
  'external-names': ['facts', 'input', 'questions', 'words'],
  moves: ['external-names', 'facts', 'input', 'questions', 'removal', 'templates', 'usages', 'words'],
  plan: [
    'external-names',
    'facts',
    'input',
    'moves',
    'order',
    'questions',
    'removal',
    'restore',
    'templates',
    'usages',
    'words',
  ],
};

const lifecycleRoom = ([name, allowed]) => ({
  name: `lifecycle-${name}-imports`,
  severity: 'error',
  from: {path: `^src/lifecycle/${name}/`},
  to: {path: '^src/', pathNot: `^src/hash/|^src/lifecycle/(${[name, ...allowed].join('|')})/`},
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(mayImport).map(layer),
    ...Object.entries(lifecycleRooms).map(lifecycleRoom),
    ...roomsInside('cluster', clusterRooms),
    ...Object.entries(harnessRooms).map(roomOf('harness', '^src/harness/')),
    ...Object.entries(innerRooms).flatMap(([room, inner]) => roomsInside(room, inner)),
    {
      name: 'golden-files-know-no-scenario',
      severity: 'error',
      from: {path: '^src/harness/scenario/golden/'},
      to: {path: '^src/harness/scenario/', pathNot: '^src/harness/scenario/golden/'},
    },
    {name: 'no-cycles', severity: 'error', from: {}, to: {circular: true}},
    {
      name: 'no-orphans',
      severity: 'error',
      // The report page's script runs in a browser: it is read as a file.
      from: {orphan: true, path: '^src/', pathNot: '\\.d\\.ts$|/report-page\\.js$'},
      to: {},
    },
    {name: 'no-unresolvable', severity: 'error', from: {}, to: {couldNotResolve: true}},
    {
      name: 'no-node-in-pure-folders',
      severity: 'error',
      from: {path: '^src/(hash|wire|lifecycle|cluster|explore)/'},
      to: {dependencyTypes: ['core']},
    },
    {
      name: 'no-packages-in-pure-folders',
      comment:
        'wire may use the protobuf runtime, lifecycle the CEL library and its RE2, cluster an RE2 of its own, hash the hashes; the rest of the pure folders nothing.',
      severity: 'error',
      from: {path: '^src/explore/'},
      to: {path: 'node_modules'},
    },
    {
      name: 'no-packages-but-hashes-in-hash',
      severity: 'error',
      from: {path: '^src/hash/'},
      to: {path: 'node_modules', pathNot: 'node_modules/@noble/hashes/'},
    },
    {
      name: 'no-packages-but-re2-in-cluster',
      severity: 'error',
      from: {path: '^src/cluster/'},
      to: {path: 'node_modules', pathNot: 'node_modules/re2js/'},
    },
    {
      name: 'no-packages-but-cel-and-re2-in-lifecycle',
      severity: 'error',
      from: {path: '^src/lifecycle/'},
      to: {path: 'node_modules', pathNot: 'node_modules/@bufbuild/(cel|re2)/'},
    },
    {
      name: 'product-never-reaches-harness',
      severity: 'error',
      from: {path: '^src/function/'},
      to: {path: '^src/(cluster|explore|harness)/', reachable: true},
    },
    {name: 'nobody-imports-main', severity: 'error', from: {}, to: {path: '^src/main\\.ts$'}},
    {name: 'nobody-imports-tests', severity: 'error', from: {path: '^src/'}, to: {path: '^(test|examples)/'}},
    {
      name: 'product-uses-no-dev-dependencies',
      severity: 'error',
      from: {path: '^src/'},
      // A peer is there where it is used: Vitest, for its matchers.
      to: {dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm-peer']},
    },
  ],
  options: {
    doNotFollow: {path: 'node_modules'},
    tsPreCompilationDeps: true,
    tsConfig: {fileName: 'tsconfig.json'},
    enhancedResolveOptions: {exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types']},
  },
};
