// The rules of lifecycle/ by which resources are kept safe, each with an edit that takes it away. The text must occur
// exactly once in its file: a rule that was rewritten has to be written here again.

export interface Rule {
  readonly rule: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const lifecycleRules: readonly Rule[] = [
  {
    rule: 'what nobody controls is adopted before it is let go',
    file: 'plan.ts',
    from: "if (owner.kind === 'nobody') return {kind: 'hold', reason: 'adopt-first'};",
    to: '',
  },
  {
    rule: 'nothing leaves while any resource waits to be adopted',
    file: 'plan.ts',
    from: 'if (situation.unadopted.length > 0) {',
    to: 'if (situation.unadopted.length < 0) {',
  },
  {
    rule: 'a resource of a stale controller is refused',
    file: 'plan.ts',
    from: "if (owner.kind === 'stale') return",
    to: "if (owner.kind === 'stale' && resourceName === '') return",
  },
  {
    rule: 'the removal policy of a selector is asked',
    file: 'plan.ts',
    from: 'if (held !== undefined) return held;',
    to: '',
  },
  {
    rule: 'more removals than the budget allows are held',
    file: 'plan.ts',
    from: 'if (situation.overBudget !== undefined && !isConfirmed(resourceName, snapshot)) return situation.overBudget;',
    to: '',
  },
  {
    rule: 'a new resource waits for those before it',
    file: 'plan.ts',
    from: "return of === undefined ? missing : {kind: 'wait', reason: 'creation-order', of};",
    to: 'return of === undefined ? missing : missing;',
  },
  {
    rule: 'a Usage stays while its `by` is there',
    file: 'removal.ts',
    from: '(edge === undefined ? undefined : holdUsage(edge, removal)) ??',
    to: '',
  },
  {
    rule: 'an `of` stays while its `by` is there',
    file: 'removal.ts',
    from: 'holdUsed(resourceName, removal) ??',
    to: '',
  },
  {
    rule: 'an `of` stays until its Usage has left',
    file: 'removal.ts',
    from: "return {kind: 'hold', reason: 'usage-leaves-first', usages: protecting.map((edge) => edge.usage)};",
    to: 'return undefined;',
  },
  {
    rule: 'a pair that leaves waits for its Usage to be there',
    file: 'removal.ts',
    from: 'holdForUsage(resourceName, removal) ??',
    to: '',
  },
  {
    rule: 'what the input protects does not leave',
    file: 'removal.ts',
    from: 'holdProtected(resourceName, removal) ??',
    to: '',
  },
  {
    rule: 'what carries the in-use label does not leave',
    file: 'removal.ts',
    from: "holdInUse(resourceName, removal) ?? {kind: 'release'}",
    to: "({kind: 'release'} as const)",
  },
  {
    rule: 'a `by` that is not observed is looked up before it counts as gone',
    file: 'removal.ts',
    from: "if (answer === undefined) return 'unknown';",
    to: "if (answer === undefined) return 'gone';",
  },
  {
    rule: 'a `by` that was deleted and is still there counts',
    file: 'removal.ts',
    from: "return isOfThisXr(found, snapshot.xr, id) ? 'lingering' : 'elsewhere';",
    to: "return isOfThisXr(found, snapshot.xr, id) ? 'gone' : 'elsewhere';",
  },
  {
    rule: 'a Usage that would wait for ever is relaxed first',
    file: 'removal.ts',
    from: "return removal.needsRelaxing(edge) ? {kind: 'hold', reason: 'relax-first', of, by} : undefined;",
    to: 'return undefined;',
  },
  {
    rule: 'controllers are compared by uid',
    file: 'restore.ts',
    from: "if (uid === xrUid) return {kind: 'ours'};",
    to: "if (uid !== '') return {kind: 'ours'};",
  },
  {
    rule: 'a held resource keeps the name it has',
    file: 'hold-body.ts',
    from: '    name: view.name,\n',
    to: '',
  },
  {
    rule: 'a held resource never carries a controller reference',
    file: 'hold-body.ts',
    from: "reference['controller'] !== true)",
    to: "reference['controller'] !== 'never')",
  },
  {
    rule: 'only the fields of the composed field manager are held',
    file: 'hold-body.ts',
    from: "candidate['manager'] === manager &&",
    to: '',
  },
  {
    rule: 'an external name that somebody else wrote is not taken over',
    file: 'external-names.ts',
    from: "if (name !== '' && name !== emitted) return undefined;",
    to: '',
  },
  {
    rule: 'an external name that we wrote is written again',
    file: 'external-names.ts',
    from: "return {name: known === '' ? name : known, from: 'object'};",
    to: 'return undefined;',
  },
  {
    rule: 'a name is taken from status only of what is ready and not being created',
    file: 'external-names.ts',
    from: 'if (rule === undefined || !saysReady(observed) || isCreating(observed)) return',
    to: 'if (rule === undefined) return',
  },
  {
    rule: 'a pair that no Usage can express is refused',
    file: 'usages.ts',
    from: "return of.namespace === '' && byNamespaced ? 'of-cluster-by-namespaced' : undefined;",
    to: 'return undefined;',
  },
  {
    rule: 'a Usage is found in the namespace of its `by`',
    file: 'usages.ts',
    from: 'const namespace = by.namespace || of.namespace;',
    to: 'const namespace = of.namespace;',
  },
];
