// The rules of the policy, each with the edit that removes it from the source. A rule that can be removed while every
// test stays green is a rule that nobody guards: `npm run mutation` removes them one after the other and prints what
// noticed. A rule is removed, not negated, wherever that is possible: what is left still makes sense.

export interface Rule {
  /** What holds because of it. */
  readonly rule: string;
  /** In src/lifecycle. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly without: string;
}

const holdAdoptFirst = "  if (isUnadopted) return {kind: 'hold', reason: 'adopt-first'};\n";
const refuseUnproven = `  if (owner.kind === 'nobody') {
    return {kind: 'refuse', reason: 'unproven', object: refTo(view), id: situation.claim.id};
  }
`;
const holdRestoring = `  // What is kept already has given the others their time.
  if (situation.unadopted.length > 0 && observedPhase(view) !== 'pending-deletion') {
    return {kind: 'hold', reason: 'restore-in-progress', unadopted: situation.unadopted};
  }
`;

/** The source without the rule. */
export function broken(source: string, {text, without}: Rule): string {
  return source.replace(text, () => without);
}

export const rules: readonly Rule[] = [
  {
    rule: 'an object whose managed fields Crossplane clears first is not guarded',
    file: 'apply-guard.ts',
    text: 'return isUpgraded ? text',
    without: 'return isUpgraded || entries !== null ? text',
  },
  {
    rule: "an empty list in an Operation's input needs no XR",
    file: 'operation.ts',
    text: ' && !isEmptyList(input[name])',
    without: '',
  },
  {
    rule: "a template's kind is literal",
    file: 'templates.ts',
    text: " || value.includes('${')",
    without: '',
  },
  {
    rule: 'readyWhen is false while it cannot be said',
    file: 'templates.ts',
    text: "  if (resolved.kind === 'unresolved') return 'false';\n",
    without: "  if (resolved.kind === 'unresolved') return 'true';\n",
  },
  {
    rule: 'include is true or false',
    file: 'templates.ts',
    text: "resolved.kind === 'value' && typeof resolved.value !== 'boolean'\n",
    without: "resolved.kind === 'value' && resolved.value === undefined\n",
  },
  {
    rule: 'a mistake in a template comes before a value that is not there',
    file: 'template-value.ts',
    text: "    if (part.kind === 'invalid-input') return part;\n",
    without: "    if (part.kind === 'invalid-input' && unresolved === undefined) return part;\n",
  },
  {
    rule: '$${ is a plain ${',
    file: 'template-text.ts',
    text: "    if (text[at - 1] === '$' && at > from) {",
    without: "    if (text[at - 1] === '$' && at > from + text.length) {",
  },
  {
    rule: 'an expression of many characters is refused',
    file: 'cel.ts',
    text: '  if (text.length > charactersMax) {',
    without: '  if (text.length > charactersMax * 100) {',
  },
  {
    rule: 'a field that is not there is waited for, not refused',
    file: 'cel.ts',
    text: "          if (missing !== undefined) return {kind: 'unresolved', missing: missing || shortened(text)};\n",
    without: '',
  },
  {
    rule: 'a create-only order orders no deletion',
    file: 'order.ts',
    text: '    if (!order.createOnly) deletion',
    without: '    deletion',
  },
  {
    rule: 'a delete-only order makes nothing wait',
    file: 'order.ts',
    text: '    if (!order.deleteOnly) (',
    without: '    (',
  },
  {
    rule: 'what is no longer desired is not waited for',
    file: 'order.ts',
    text: 'snapshot.desired.has(name) && !isReady',
    without: '!isReady',
  },
  {
    rule: 'what an earlier step calls unready is unready',
    file: 'order.ts',
    text: " || said === 'false') return false;",
    without: ') return false;',
  },
  {
    rule: 'Usages are not ordered',
    file: 'order.ts',
    text: 'view !== undefined && !isUsage(view) && matches(selector, name, view)',
    without: 'view !== undefined && matches(selector, name, view)',
  },
  {
    rule: 'what is observed keeps its name whatever name would be stable',
    file: 'stable-names.ts',
    text: "!snapshot.observed.has(resourceName) && view.name === ''",
    without: "view.name === ''",
  },
  {
    rule: 'a name that the pipeline says is not replaced',
    file: 'stable-names.ts',
    text: " && view.name === '';",
    without: ';',
  },
  {
    rule: "a sequencer's pattern with one anchor is open at the other end",
    file: 'dialect-sequencer.ts',
    text: '  if (begins === ends) return pattern;\n',
    without: '  if (begins === ends || begins || ends) return pattern;\n',
  },
  {
    rule: "a sequencer's rule orders deletion only where that is enabled",
    file: 'dialect-sequencer.ts',
    text: '(createOnly ?? false) || !ordersDeletion',
    without: 'createOnly ?? false',
  },
  {
    rule: 'a label of function-deletion-protection is read in any case',
    file: 'dialect-deletion-protection.ts',
    text: "value: 'true', ignoreCase: true",
    without: "value: 'true'",
  },
  {
    rule: 'an event is told once',
    file: 'summary.ts',
    text: "  if (decision.kind === 'hold') return phase === 'pending-deletion' ? undefined : 'holding';\n",
    without: "  if (decision.kind === 'hold') return 'holding';\n",
  },
  {
    rule: 'an Operation refuses what needs an XR',
    file: 'operation.ts',
    text: '  if (part !== undefined) {',
    without: "  if (part === undefined && input.ttl === '') {",
  },
  {
    rule: 'what is required is protected as the input selects',
    file: 'protect.ts',
    text: 'if (rule === undefined || isUsage(view) || isDeleting(view)) continue;',
    without: 'if (isUsage(view) || isDeleting(view)) continue;',
  },
  {
    rule: 'what is being deleted needs no Usage',
    file: 'protect.ts',
    text: ' || isDeleting(view)) continue;',
    without: ') continue;',
  },
  {
    rule: 'what function-tether looks up for itself is not protected for it',
    file: 'protect.ts',
    text: '.filter(isForeign)',
    without: '',
  },
  {
    rule: 'a template that cannot be resolved waits while it does not exist',
    file: 'plan.ts',
    text: "      return {kind: 'wait', reason: 'unresolved', path: unresolved.path, missing: unresolved.missing};",
    without: '',
  },
  {
    rule: 'under an input of another function the Usages have its names',
    file: 'usage-names.ts',
    text: 'if (theirs === undefined || !isFree(theirs, own))',
    without: 'if (theirs === undefined || !isFree(theirs, own) || own !== undefined)',
  },
  {
    rule: 'two Usages never share a name of another function',
    file: 'usage-names.ts',
    text: '(taken.get(name) ?? own) === own',
    without: '(taken.get(name) ?? own) !== undefined',
  },
  {
    rule: 'a Usage takes no name that an earlier step desires',
    file: 'usage-names.ts',
    text: 'if (snapshot.desired.has(resourceName)) return false;',
    without: '',
  },
  {
    rule: 'a template that cannot be resolved is held as it is observed',
    file: 'plan.ts',
    text: '    if (unresolved === undefined) return keep;',
    without: "    if (unresolved === undefined || unresolved.path !== '') return keep;",
  },
  {
    rule: 'a template whose include cannot be said is not dropped',
    file: 'templates.ts',
    text: "included.kind === 'value' && included.value === false",
    without: "(included.kind !== 'value' || included.value === false)",
  },
  {
    rule: 'a template that is not included is not desired',
    file: 'templates.ts',
    text: "    if (included.kind === 'value' && included.value === false) continue;\n",
    without: '',
  },
  {
    rule: 'references order deletion',
    file: 'order.ts',
    text: '= references.ranks.map(({path, before, after}) => ({',
    without: '= references.ranks.slice(0, 0).map(({path, before, after}) => ({',
  },
  {
    rule: 'references to what says readyWhen wait for it',
    file: 'order.ts',
    text: 'references.ranks.filter(({untilReady}) => untilReady)',
    without: 'references.ranks.slice(0, 0)',
  },
  {
    rule: 'a reference that has() asks for orders nothing',
    file: 'template-references.ts',
    text: '.filter((name) => !asked.has(`resources.${name}`))',
    without: '',
  },
  {
    rule: 'a reference to what is nowhere is refused',
    file: 'template-references.ts',
    text: 'if (!known.has(name) && !snapshot.observed.has(name) && !snapshot.desired.has(name)) {',
    without: "if (name === '') {",
  },
  {
    rule: 'no Usage names a resource that waits for a value',
    file: 'situation.ts',
    text: '(orders.awaited.has(name) || unresolved.has(name))',
    without: 'orders.awaited.has(name)',
  },
  {
    rule: 'a template that somebody else controls stays desired',
    file: 'plan.ts',
    text: "  if (template !== undefined) return {kind: 'emit', body: template.body, ready: 'unspecified'};\n",
    without: '',
  },
  {
    rule: 'a template that somebody else controls and that cannot be resolved stays desired',
    file: 'plan.ts',
    text: ' || templates.unresolved.has(resourceName)',
    without: '',
  },
  {
    rule: 'a resource is ready as readyWhen says',
    file: 'templates.ts',
    text: "return resolved.value ? 'true' : 'false';",
    without: "return 'true';",
  },
  {
    rule: 'an expression keeps its type',
    file: 'template-value.ts',
    text: "  if (parts.length === 1 && only?.kind === 'cel') return evaluate(only.text, path, scope);\n",
    without: "  if (parts.length === 1 && only?.kind === 'cel') return inText(only.text, path, scope);\n",
  },
  {
    rule: 'an expression that is null leaves its field out',
    file: 'template-value.ts',
    text: 'resolved !== null || value[key] === null',
    without: "resolved !== null || value[key] !== ''",
  },
  {
    rule: 'two templates do not share a name',
    file: 'templates.ts',
    text: 'earlier.some((other) => other.name === name)',
    without: "earlier.some((other) => other.name === name && name === '')",
  },
  {
    rule: "a template does not take an earlier step's resource over",
    file: 'templates.ts',
    text: 'if (desired.has(name))',
    without: "if (name === '')",
  },
  {
    rule: 'an order whose `when` is false makes nothing wait',
    file: 'order.ts',
    text: '(holding[index] ? creation : notHolding).push',
    without: 'creation.push',
  },
  {
    rule: 'a `when` that is neither true nor false is refused',
    file: 'when.ts',
    text: "return typeof outcome.value === 'boolean' ? outcome.value : invalid(show(outcome.value));",
    without: 'return outcome.value !== null;',
  },
  {
    rule: 'a `when` over a field that is not there is refused',
    file: 'when.ts',
    text: 'return invalid(`${outcome.missing}, which is not there: ask has() first`);',
    without: 'return false;',
  },
  {
    rule: 'the expressions of one call share what they may cost',
    file: 'cel-functions.ts',
    text: '      meter = full;',
    without: '      meter = {left: full.left};',
  },
  {
    rule: 'every comprehension counts',
    file: 'cel-syntax.ts',
    text: '  comprehension.loopCondition = call(spendFunction, loopCondition, [loopCondition, constant(loopCondition, weight)]);\n',
    without: '',
  },
  {
    rule: 'expressions read what they name and no more',
    file: 'cel-values.ts',
    text: "  if (below === 'whole') return celOf(source(path));",
    without: "  if (below === 'whole' || path.length === 1) return celOf(source(path));",
  },
  {
    rule: 'an undesired resource without our controller reference is adopted before it is released',
    file: 'plan.ts',
    text: holdAdoptFirst + refuseUnproven + holdRestoring,
    without: '',
  },
  {
    rule: 'during a restore nothing is released, not even what is ours',
    file: 'plan.ts',
    text: holdRestoring,
    without: '',
  },
  {
    rule: 'what leaves waits for the adoption of others for one reconcile, not for ever',
    file: 'plan.ts',
    text: " && observedPhase(view) !== 'pending-deletion') {",
    without: ') {',
  },
  {
    rule: 'what nothing proves to be of this XR is not adopted to be deleted',
    file: 'plan.ts',
    text: refuseUnproven,
    without: "  if (owner.kind === 'nobody') return {kind: 'hold', reason: 'adopt-first'};\n",
  },
  {
    rule: 'nothing of what is not proven is put into desired',
    file: 'plan.ts',
    text: "  if (decision.reason === 'unproven') return undefined;\n",
    without: '',
  },
  {
    rule: 'what is not proven holds nothing up',
    file: 'restore.ts',
    text: "    if (isNobodys && proofOf(view, claim) !== 'none') names.push(resourceName);\n",
    without: '    if (isNobodys) names.push(resourceName);\n',
  },
  {
    rule: 'evidence for another XR outweighs',
    file: 'proof.ts',
    text: "  if (managers.some((other) => other !== manager)) return 'none';\n",
    without: '',
  },
  {
    rule: 'the label of another XR outweighs',
    file: 'proof.ts',
    text: "  if (label !== '' && label !== id) return 'none';\n",
    without: '',
  },
  {
    rule: 'only what Crossplane applies is proof, not what is said in its name',
    file: 'proof.ts',
    text: "entry['operation'] !== 'Apply' || ",
    without: '',
  },
  {
    rule: 'a namespaced XR composed nothing outside of its namespace',
    file: 'proof.ts',
    text: "  if (namespace !== '' && view.namespace !== namespace) return 'none';\n",
    without: '',
  },
  {
    rule: 'a controller reference is ours by UID, not by name',
    file: 'restore.ts',
    text: 'if (uid === xrUid) return',
    without: "if (uid !== '') return",
  },
  {
    rule: 'a stale controller reference is reported and nothing is taken over',
    file: 'plan.ts',
    text: "  if (owner.kind === 'stale') return {kind: 'refuse', reason: 'stale-controller', controller: owner.controller};\n",
    without: '',
  },
  {
    rule: 'a refused resource that is no longer desired stays in desired',
    file: 'plan.ts',
    text: 'const stays = removal.leaving.has(resourceName) ||',
    without: 'const stays =',
  },
  {
    rule: 'every desired resource carries our marks',
    file: 'marks.ts',
    text: '    labels: markLabels(id, resourceName),\n    annotations: {[annotationPhase]',
    without: '    labels: {},\n    annotations: {[annotationPhase]',
  },
  {
    rule: 'the phase tells an adoption from an ordinary resource',
    file: 'marks.ts',
    text: "    case 'adopt':\n    case 'refuse':\n      return 'pending-adoption';\n",
    without: '',
  },
  {
    rule: 'the mark of the XR survives a new UID',
    file: 'naming.ts',
    text: 'return sha256(objectKey(refTo(xr))).slice(0, 16);',
    without: "return sha256(String(xr.field(['metadata', 'uid']))).slice(0, 16);",
  },
  {
    rule: 'a hold emits what Crossplane owns and no more',
    file: 'hold-body.ts',
    text: 'owned === undefined ? {} : asObject(extract(object, owned))',
    without: 'owned === undefined ? {} : object',
  },
  {
    rule: 'a hold takes nothing over where Crossplane owns nothing',
    file: 'hold-body.ts',
    text: 'owned === undefined ? {} :',
    without: 'owned === undefined ? object :',
  },
  {
    rule: 'a hold keeps the object that was observed and creates none',
    file: 'hold-body.ts',
    text: '    ...identified(view),\n',
    without: '',
  },
  {
    rule: 'a whole number of the input that arrived as another one is refused',
    file: 'validate.ts',
    text: 'if (schema.open) return unsafeInteger(value, path);',
    without: 'if (schema.open) return undefined;',
  },
  {
    rule: 'a held resource keeps the name it has',
    file: 'hold-body.ts',
    text: '    name: view.name,\n',
    without: '',
  },
  {
    rule: "another XR's managedFields are not ours",
    file: 'hold-body.ts',
    text: "      candidate['manager'] === manager &&\n",
    without: '',
  },
  {
    rule: 'a hold never emits the controller reference',
    file: 'hold-body.ts',
    text: "isObject(reference) && reference['controller'] !== true",
    without: 'isObject(reference)',
  },
  {
    rule: '`of` is held while a `by` is there',
    file: 'removal.ts',
    text: '  if (using.length > 0) {',
    without: '  if (using.length > 99) {',
  },
  {
    rule: '`by` not observed and not looked for counts as there',
    file: 'removal.ts',
    text: "if (answer === undefined) return 'unknown';",
    without: "if (answer === undefined) return 'gone';",
  },
  {
    rule: '`by` that lingers on its finalizers counts as there',
    file: 'removal.ts',
    text: "isOfThisXr(found, snapshot.xr, id) ? 'lingering' : 'elsewhere'",
    without: "'elsewhere'",
  },
  {
    rule: 'a `by` is looked for in the same way whatever was answered',
    file: 'removal.ts',
    text: "if (by === undefined || by.resourceName !== '') continue;",
    without: "if (by === undefined || by.resourceName !== '' || removal.snapshot.required.size > 0) continue;",
  },
  {
    rule: 'a Usage stays until its leaving `by` is gone',
    file: 'removal.ts',
    text: '(edge === undefined ? undefined : holdUsage(edge, removal)) ??',
    without: 'undefined ??',
  },
  {
    rule: '`of` leaves after its Usage, not with it',
    file: 'removal.ts',
    text: "  return {kind: 'hold', reason: 'usage-leaves-first', usages: protecting.map((edge) => edge.usage)};",
    without: '  return undefined;',
  },
  {
    rule: '`of` stays while a Usage that stays protects it',
    file: 'removal.ts',
    text: "  if (staying.length > 0) return {kind: 'hold', reason: 'protected', usages: staying.map((edge) => edge.usage)};\n",
    without: '  if (staying.length > 0) return undefined;\n',
  },
  {
    rule: 'nothing with the in-use label leaves desired',
    file: 'removal.ts',
    text: "label === 'true' ? {kind: 'hold', reason: 'in-use'} : undefined",
    without: 'label === undefined ? undefined : undefined',
  },
  {
    rule: 'the ends of a pair wait for the Usage that will order them',
    file: 'removal.ts',
    text: '    holdForUsage(resourceName, removal) ??\n',
    without: '',
  },
  {
    rule: 'what the input protects is held before its Usage is there',
    file: 'removal.ts',
    text: '    holdProtected(resourceName, removal) ??\n',
    without: '',
  },
  {
    rule: 'a Usage stays until the one that replaces it is there',
    file: 'removal.ts',
    text: "  if (successors.length > 0) return {kind: 'hold', reason: 'usage-arrives-first', usages: successors};\n",
    without: '',
  },
  {
    rule: 'a declared pair keeps its Usage while `by` is there',
    file: 'removal.ts',
    text: "      if (removal.isDeclared(edge.usage)) return {kind: 'hold', reason: 'by-still-exists', of, by};\n",
    without: '',
  },
  {
    rule: 'a pair that no Usage can say is ordered as far as observed goes',
    file: 'removal.ts',
    text: "  if (unexpressed.length > 0) return {kind: 'hold', reason: 'still-used-by', by: unexpressed, usages: []};\n",
    without: '',
  },
  {
    rule: 'an old Crossplane has its Usage relaxed before it is dropped (S0)',
    file: 'removal.ts',
    text: "return removal.needsRelaxing(edge) ? {kind: 'hold', reason: 'relax-first', of, by} : undefined;",
    without: 'return undefined;',
  },
  {
    rule: 'a relaxed Usage has no `by`',
    file: 'relax.ts',
    text: '  if (isOursAlone(view, manager)) return',
    without: '  if (isOursAlone(view, manager) && false) return',
  },
  {
    rule: 'a `by` that was selected is pointed at nobody',
    file: 'relax.ts',
    text: '    resourceRef: {name: nobodysName(view)},\n',
    without: '',
  },
  {
    rule: 'a cluster-scoped `of` with a namespaced `by` is refused',
    file: 'usages.ts',
    text: "return of.namespace === '' && byNamespaced ? 'of-cluster-by-namespaced' : undefined;",
    without: 'return undefined;',
  },
  {
    rule: 'a Usage is found in the namespace of its `by`',
    file: 'usages.ts',
    text: 'const namespace = by.namespace || of.namespace;',
    without: 'const namespace = of.namespace;',
  },
  {
    rule: 'Usages are named by group, kind, namespace and name of both ends',
    file: 'naming.ts',
    text: 'return `${groupOf(ref.apiVersion)}/${ref.kind}/${ref.namespace}/${ref.name}`;',
    without: 'return `${ref.kind}/${ref.name}`;',
  },
  {
    rule: 'a Usage for a reason never replays deletions',
    file: 'protect.ts',
    text: 'resourceRef: {name: of.name}}, reason},',
    without: 'resourceRef: {name: of.name}}, reason, replayDeletion: true},',
  },
  {
    rule: 'cycles are refused',
    file: 'cycles.ts',
    text: '    if (cycle !== undefined) return invalid(cycle);\n',
    without: '',
  },
  {
    rule: 'unknown resource names are refused',
    file: 'order-problem.ts',
    text: '    nameProblem(snapshot, input, pairs)\n',
    without: '    undefined\n',
  },
  {
    rule: 'a pair on its way out is no error',
    file: 'order-problem.ts',
    text: '      if (snapshot.observed.has(other) && !snapshot.desired.has(other)) continue;\n',
    without: '',
  },
  {
    rule: 'nothing is created before the lookup is answered',
    file: 'lookup.ts',
    text: "if (answer === undefined) return {kind: 'wait', reason: 'lookup-pending'};",
    without: "if (answer === undefined) return {kind: 'create'};",
  },
  {
    rule: 'the name of a lost resource is pinned',
    file: 'plan.ts',
    text: "    return namespace === '' ? {...amend, name} : {...amend, name, namespace};",
    without: '    return amend;',
  },
  {
    rule: 'of two lost objects neither is taken',
    file: 'lookup.ts',
    text: 'if (others.length > 0) return',
    without: 'if (others.length > 9) return',
  },
  {
    rule: 'a lost object that another UID controls is not taken',
    file: 'lookup.ts',
    text: "  if (ownership.kind === 'stale') {\n",
    without: "  if (ownership.kind === 'stale' && resourceName === '') {\n",
  },
  {
    rule: 'lost resources that are no longer desired come back to be deleted',
    file: 'lookup.ts',
    text: "if (resourceName === '' || elsewhere || isDeleting(view)) continue;",
    without: "if (resourceName === '' || elsewhere || isDeleting(view) || elsewhere === false) continue;",
  },
  {
    rule: 'an external name is saved only from a resource that is ready',
    file: 'external-names.ts',
    text: '!saysReady(observed) || ',
    without: '',
  },
  {
    rule: 'an external name is not saved while a create is in flight',
    file: 'external-names.ts',
    text: ' || isCreating(observed)',
    without: '',
  },
  {
    rule: "somebody else's external name is never emitted",
    file: 'external-names.ts',
    text: "  if (name !== '' && name !== emitted) return undefined;\n",
    without: '',
  },
  {
    rule: 'an external name once emitted is emitted for good',
    file: 'external-names.ts',
    text: '  const emitted = text(observed?.field(emittedNamePath));\n',
    without: "  const emitted = text(observed?.field([...emittedNamePath, 'never']));\n",
  },
  {
    rule: 'an external name is said only to an object that nobody wrote since',
    file: 'apply-guard.ts',
    text: "  return isUpgraded ? text(observed.field(['metadata', 'resourceVersion'])) : '';\n",
    without: "  return isUpgraded ? '' : '';\n",
  },
  {
    rule: 'a name that Crossplane does not own is not said',
    file: 'external-names.ts',
    text: "    return ownsName(observed, manager) ? say(name, 'object') : undefined;\n",
    without: "    return say(name, 'object');\n",
  },
  {
    rule: 'a name of the Composition is left alone',
    file: 'external-names.ts',
    text: "  if (externalNameOf(desired) !== '') return undefined;\n",
    without: '',
  },
  {
    rule: 'a name is lost with the XR UID, not with the object',
    file: 'name-memory.ts',
    text: 'if (remembered.xr !== uidOf(snapshot.xr)) return remembered;',
    without: 'return remembered;',
  },
  {
    rule: 'nothing is created before the memory of names is read',
    file: 'plan.ts',
    text: "    if (situation.memory === undefined) return {kind: 'wait', reason: 'lookup-pending'};\n",
    without: '',
  },
  {
    rule: 'what leaves follows its policy',
    file: 'plan.ts',
    text: '  if (held !== undefined) return held;\n',
    without: '',
  },
  {
    rule: 'more than the budget does not leave',
    file: 'plan.ts',
    text: '  if (situation.overBudget !== undefined && !isConfirmed(resourceName, snapshot)) return situation.overBudget;\n',
    without: '',
  },
  {
    rule: 'the provider is told to orphan before the object goes',
    file: 'policies.ts',
    text: "return deletesExternal(view) ? {kind: 'hold', reason: 'orphan-first'} : undefined;",
    without: 'return undefined;',
  },
  {
    rule: 'a kind that cannot be orphaned is refused',
    file: 'policies.ts',
    text: "      if (!hasPolicies(view)) return {kind: 'refuse', reason: 'cannot-orphan'};\n",
    without: '',
  },
  {
    rule: 'creation waits for its order',
    file: 'plan.ts',
    text: "return of === undefined ? missing : {kind: 'wait', reason: 'creation-order', of};",
    without: 'return of === undefined ? missing : missing;',
  },
  {
    rule: 'what exists is never left out for an order',
    file: 'plan.ts',
    text: "missing.kind === 'create' ? situation.orders.awaited.get(resourceName) : undefined",
    without: 'situation.orders.awaited.get(resourceName)',
  },
  {
    rule: 'an XR is not ready while its resources wait',
    file: 'plan.ts',
    text: "xrReady: all.some(({kind}) => kind === 'wait') ? 'false' : undefined,",
    without: 'xrReady: undefined,',
  },
  {
    rule: 'a step that selects nothing breaks no sequence',
    file: 'order.ts',
    text: '      .filter((names) => names.length > 0);',
    without: '      .filter((names) => names.length >= 0);',
  },
  {
    rule: 'patterns mean whole names',
    file: 'regex.ts',
    text: '  return current.has(accept);',
    without: '  return current.has(accept) || current.size > 0;',
  },
  {
    rule: 'a plan does not depend on the order of maps',
    file: 'json.ts',
    text: 'return new Map(keys.sort().map((key): [string, V] => [key, map.get(key) as V]));',
    without: 'return map;',
  },
];
