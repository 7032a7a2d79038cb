// The safety rules of the policy, each with the edit that removes it from the source. `npm run mutation:rules` removes them
// one by one and prints the test or the explorer's story that notices. Only rules whose loss costs data, freezes an XR or
// prints a value are listed; `npm run mutation` breaks every other expression.

export interface Rule {
  /** What holds because of it. */
  readonly rule: string;
  /** In src/lifecycle. */
  readonly file: string;
  /** The function, or constant, that has the rule. */
  readonly of: string;
  /** Occurs exactly once in it. */
  readonly text: string;
  readonly without: string;
}

/** The source without the rule; undefined where its function does not say it, or says it more than once. */
export function broken(source: string, {of, text, without}: Rule): string | undefined {
  const declarations = source.split(/^(?=(?:export )?(?:function\*?|const|class) )/m);
  const own = declarations.find((one) => /^(?:export )?(?:function\*?|const|class) (\w+)/.exec(one)?.[1] === of);
  const [before, after, ...more] = own?.split(text) ?? [];
  if (after === undefined || more.length > 0) return undefined;
  return declarations.map((one) => (one === own ? `${before}${without}${after}` : one)).join('');
}

export const rules: readonly Rule[] = [
  {
    rule: 'what moves keeps the Usage that protects it',
    file: 'usages/protect.ts',
    of: 'protections',
    text: "    if (usage !== undefined) protect('protect', name, of, text(usage.field(['spec', 'reason'])));\n",
    without: '',
  },
  {
    rule: 'a new object that is to be protected gets its policies once its Usage is there',
    file: 'moves/handover/handover.ts',
    of: 'succession',
    text: ' && protection.awaits(move.to)',
    without: ' && false',
  },
  {
    rule: 'what is taken and to be protected gets its policies once its Usage is there',
    file: 'moves/between-xrs/take.ts',
    of: 'gates',
    text: "  [({observes, awaitsUsage}) => observes && awaitsUsage(), stoppedBy({kind: 'unprotected'})],\n",
    without: '',
  },
  {
    rule: 'what is protected is let go only to what is protected',
    file: 'moves/between-xrs/give.ts',
    of: 'obstacleTo',
    text: "  if (usage !== undefined && !isLabelledInUse(object)) return {kind: 'unprotected', usage};\n",
    without: '',
  },
  {
    rule: 'nothing is let go before the other object is Synced',
    file: 'moves/between-xrs/give.ts',
    of: 'obstacleTo',
    text: "return synced(object) === 'True' ? undefined : {kind: 'not-synced'};",
    without: 'return undefined;',
  },
  {
    rule: 'what only observes gets no policies because the old object is gone',
    file: 'moves/between-xrs/take.ts',
    of: 'gates',
    text: "  [({isAlone, allowed}) => isAlone && allowed !== undefined, stoppedBy({kind: 'old-gone'})],\n",
    without: '',
  },
  {
    rule: 'what was let go does not leave while nothing else leads to its external resource',
    file: 'moves/between-xrs/give.ts',
    of: 'withoutRule',
    text: "  [({isDropped, labelled}) => isDropped && labelled.length === 0, () => takingBack({kind: 'dropped'})],\n",
    without: '',
  },
  {
    rule: 'nothing is taken that its own Composition does not give',
    file: 'moves/between-xrs/take.ts',
    of: 'obstacleTo',
    text: "  if (!isGiving(object, xr, resourceName)) return {kind: 'other-rule', does: 'gives'};\n",
    without: '',
  },
  {
    rule: 'a template that cannot be resolved is held as it is observed',
    file: 'plan/gates.ts',
    of: 'gates',
    text: "  observed(['staying'], unresolved),\n",
    without: '',
  },
  {
    rule: 'an undesired resource without our controller reference is adopted before it is released',
    file: 'plan/gates.ts',
    of: 'gates',
    text: "  observed(['leaving'], adoptFirst),\n",
    without: '',
  },
  {
    rule: 'during a restore nothing is released, not even what is ours',
    file: 'plan/gates.ts',
    of: 'gates',
    text: "  observed(['leaving'], comingBack),\n",
    without: '',
  },
  {
    rule: 'what a restore brought back is awaited until it is Ready, whatever it says before',
    file: 'facts/ready.ts',
    of: 'isBackAndReady',
    text: "if (readiness(view)?.['status'] !== 'True') return false;",
    without: "if (view.field(['status', 'conditions']) === undefined) return false;",
  },
  {
    rule: 'what came back has a mark until it is Ready again',
    file: 'plan/edits.ts',
    of: 'editsOf',
    text: 'markOf(resourceName, decision, situation.comingBack)',
    without: 'undefined',
  },
  {
    rule: 'the pipeline sees once more what came back before anything leaves',
    file: 'restore/coming-back.ts',
    of: 'holdWhileComingBack',
    text: ' && !isMarkedRestored(view)',
    without: '',
  },
  {
    rule: 'what an XR relays through its own status arrives before anything leaves',
    file: 'restore/coming-back.ts',
    of: 'comingBack',
    text: '  if (field !== undefined) all.push(field);\n',
    without: '',
  },
  {
    rule: 'what nothing proves to be of this XR is not adopted to be deleted',
    file: 'plan/gates.ts',
    of: 'unproven',
    text: "{kind: 'refuse', reason: 'unproven', object: refTo(view), id: situation.claim.id}",
    without: "{kind: 'hold', reason: 'without-controller'}",
  },
  {
    rule: 'nothing of what is not proven is put into desired',
    file: 'plan/edits.ts',
    of: 'editOfRefused',
    text: "  if (decision.reason === 'unproven') return undefined;\n",
    without: '',
  },
  {
    rule: 'evidence for another XR outweighs',
    file: 'facts/proof.ts',
    of: 'evidenceOn',
    text: "  if (managers.some((other) => other !== manager)) return 'against';\n",
    without: '',
  },
  {
    rule: 'only what Crossplane applies is proof, not what is said in its name',
    file: 'facts/proof.ts',
    of: 'composedManagers',
    text: "entry['operation'] !== 'Apply' || ",
    without: '',
  },
  {
    rule: 'another kind under an old name is not made',
    file: 'facts/identity.ts',
    of: 'changedKind',
    text: 'wanted === undefined || isSameKind(view, wanted) ? undefined : wanted',
    without: 'undefined',
  },
  {
    rule: 'an object under a new name is not deleted for its old one',
    file: 'moves/handover/moves.ts',
    of: 'newMove',
    text: '  if (same !== undefined) return renamed(at, old, same, snapshot, input);\n',
    without: '',
  },
  {
    rule: 'what two rules give two names is not made twice',
    file: 'moves/handover/handover.ts',
    of: 'forkOf',
    text: 'return isSetAside(at) ? undefined : otherTarget(at, old, to, snapshot, input);',
    without: "return at === '' ? otherTarget(at, old, to, snapshot, input) : undefined;",
  },
  {
    rule: 'what leaves when it is turned back has no policies',
    file: 'moves/between-xrs/take.ts',
    of: 'isNeedless',
    text: 'return observes && old !== undefined',
    without: 'return old !== undefined',
  },
  {
    rule: 'Synced of an older generation proves nothing',
    file: 'moves/proofs.ts',
    of: 'synced',
    text: ' && seen < generation) return undefined;',
    without: ' && seen < 0) return undefined;',
  },
  {
    rule: 'nothing is protected before the XR has it',
    file: 'usages/protect.ts',
    of: 'protections',
    text: "if (ofName !== '' && !isDue(name.resourceName, [ofName])) return true;",
    without: '',
  },
  {
    rule: 'nothing is made before it is known what is in its place',
    file: 'plan/gates.ts',
    of: 'placeUnknown',
    text: 'isOpen || ',
    without: '',
  },
  {
    rule: 'a new object only observes at first',
    file: 'moves/bodies.ts',
    of: 'newBody',
    text: 'return onlyObserves ? observeOnlyBody(named) : named;',
    without: 'return named;',
  },
  {
    rule: 'a Usage repeats no denied deletion when it goes',
    file: 'removal/removal.ts',
    of: 'holdUsage',
    text: 'removal.replays(edge) ?',
    without: 'removal.replays(edge) && edge.usage === "" ?',
  },
  {
    rule: 'a controller reference is ours by UID, not by name',
    file: 'facts/ownership.ts',
    of: 'ownershipOf',
    text: 'if (uid === xrUid) return',
    without: "if (uid !== '') return",
  },
  {
    rule: 'a hold emits what Crossplane owns and no more',
    file: 'facts/hold-body.ts',
    of: 'holdBody',
    text: 'owned === undefined ? {} : asObject(ownedPart(object, owned, others))',
    without: 'owned === undefined ? {} : object',
  },
  {
    rule: 'what is being deleted is not held, or it would be made again',
    file: 'plan/gates.ts',
    of: 'standingOf',
    text: "isDeleting(view) ? 'going' : 'leaving'",
    without: "'leaving'",
  },
  {
    rule: 'a hold never emits the controller reference',
    file: 'facts/hold-body.ts',
    of: 'heldMetadata',
    text: "isObject(reference) && reference['controller'] !== true",
    without: 'isObject(reference)',
  },
  {
    rule: '`of` is held while a `by` is there',
    file: 'removal/removal.ts',
    of: 'holdUsed',
    text: '  if (using.length > 0) {',
    without: '  if (using.length > 99) {',
  },
  {
    rule: '`by` not observed and not looked for counts as there',
    file: 'removal/removal.ts',
    of: 'stateOf',
    text: "if (answer === undefined) return 'unknown';",
    without: "if (answer === undefined) return 'gone';",
  },
  {
    rule: '`of` leaves after its Usage, not with it',
    file: 'removal/removal.ts',
    of: 'holdUsed',
    text: "  return {kind: 'hold', reason: 'usage-leaves-first', usages: protecting.map((edge) => edge.usage)};",
    without: '  return undefined;',
  },
  {
    rule: 'nothing that a Usage may protect leaves desired',
    file: 'removal/removal.ts',
    of: 'usageGuards',
    text: '  holdInUse,\n',
    without: '',
  },
  {
    rule: 'a person cannot have deleted what a Usage of somebody else names',
    file: 'usages/in-use.ts',
    of: 'inUseState',
    text: "stageOf(view) === 'checked'",
    without: "stageOf(view) === 'none' && view.name === ''",
  },
  {
    rule: 'a declared pair keeps its Usage while `by` is there',
    file: 'removal/removal.ts',
    of: 'holdUsage',
    text: "      if (removal.isDeclared(edge.usage) && !isSucceeded) return {kind: 'hold', reason: 'by-still-exists', of, by};\n",
    without: '',
  },
  {
    rule: 'an old Crossplane has its Usage relaxed before it is dropped (S0)',
    file: 'removal/removal.ts',
    of: 'holdUsage',
    text: 'by === undefined || !removal.needsRelaxing(edge);',
    without: 'true;',
  },
  {
    rule: 'cycles are refused',
    file: 'order/cycles.ts',
    of: 'cycleProblem',
    text: '    if (cycle !== undefined) return invalid(cycle);\n',
    without: '',
  },
  {
    rule: 'of two lost objects neither is taken',
    file: 'restore/lookup.ts',
    of: 'lookedUp',
    text: 'if (others.length > 0) return',
    without: 'if (others.length > 9) return',
  },
  {
    rule: 'a lost object that another UID controls is not taken',
    file: 'restore/lookup.ts',
    of: 'lookedUp',
    text: "  if (ownership.kind === 'stale') {\n    return {kind: 'wait'",
    without: "  if (ownership.kind === 'stale' && resourceName === '') {\n    return {kind: 'wait'",
  },
  {
    rule: 'a lookup is confirmed by what proves the object',
    file: 'restore/lookup.ts',
    of: 'lookedUp',
    text: " && proofOf(view, claim) !== 'none'",
    without: '',
  },
  {
    rule: 'an external name is not saved while a create is in flight',
    file: 'external-names/external-names.ts',
    of: 'nameInStatus',
    text: ' || isCreating(observed)',
    without: '',
  },
  {
    rule: 'a remembered name is for its own kind',
    file: 'external-names/lost-names.ts',
    of: 'lostName',
    text: ' || !isSameKind(recalled.entry, wanted)',
    without: '',
  },
  {
    rule: 'a remembered name counts with a valid seal',
    file: 'external-names/remembered.ts',
    of: 'Sealed',
    text: 'this.#seals.isValid(sealedWords(this.entry, this.#resourceName, this.#xr), this.entry.seal)',
    without: 'true',
  },
  {
    rule: 'nothing is created before the memory of names is read',
    file: 'plan/gates.ts',
    of: 'gates',
    text: '  absent(memoryUnread),\n',
    without: '',
  },
  {
    rule: 'what leaves follows its policy',
    file: 'plan/gates.ts',
    of: 'gates',
    text: "  observed(['leaving'], policy),\n",
    without: '',
  },
  {
    rule: 'more than the budget does not leave',
    file: 'plan/gates.ts',
    of: 'gates',
    text: "  observed(['leaving'], overBudget),\n",
    without: '',
  },
  {
    rule: 'the provider is told to orphan before the object goes',
    file: 'removal/policies.ts',
    of: 'letGoFirst',
    text: "return deletesExternal(view) ? {kind: 'hold', reason: 'orphan-first'} : undefined;",
    without: 'return undefined;',
  },
  {
    rule: 'an external resource that is desired under another name is left',
    file: 'removal/policies.ts',
    of: 'heldByPolicy',
    text: "      return isDesired() ? letGoFirst(view) : undefined;\n    case 'Retain'",
    without: "      return undefined;\n    case 'Retain'",
  },
  {
    rule: 'with other parameters it may be another external resource',
    file: 'moves/handover/moves.ts',
    of: 'namesake',
    text: 'fresh: undefined, differs}',
    without: 'fresh: undefined}',
  },
  {
    rule: 'what exists is never left out for an order',
    file: 'plan/gates.ts',
    of: 'gates',
    text: '  absent(lost),\n',
    without: '',
  },
  {
    rule: 'a confirmation with a uid is for that object alone',
    file: 'removal/policies.ts',
    of: 'isObjectConfirmed',
    text: '.has(`${resourceName}@${uid}`)',
    without: '.values().some((name) => name.startsWith(`${resourceName}@`))',
  },
  {
    rule: 'an error of an expression quotes no value',
    file: 'templates/cel/cel.ts',
    of: 'withoutValues',
    text: "valueless.some((known) => known.test(line)) ? line : 'a value that does not fit'",
    without: 'line',
  },
  {
    rule: 'a plan does not depend on the order of maps',
    file: 'words/json.ts',
    of: 'sortedMap',
    text: 'return new Map(keys.sort().map((key): [string, V] => [key, map.get(key) as V]));',
    without: 'return map;',
  },
];
