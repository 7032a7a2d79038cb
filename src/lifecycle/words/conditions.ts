// Reasons of the XR condition `Tethered`: a row each, the gravest first. An XR that composes this one waits for the end of its restore,
// and learns of it by this reason alone. A person has to act on a refusal.

interface Row {
  readonly status: 'True' | 'False';
  readonly means: string;
  readonly todo: string;
}

export const conditions = {
  Restoring: {
    status: 'False',
    means: 'What comes back is adopted first; what leaves waits until all that the pipeline reads is back.',
    todo: 'Nothing, unless the message names what will never be Ready.',
  },
  SameObject: {
    status: 'False',
    means: 'Two XRs desire one object, which one is to take from the other: it cannot change its XR.',
    todo: 'Change `metadata.name` in one of the two Compositions.',
  },
  Refusing: {
    status: 'False',
    means: 'What is asked for cannot be done safely.',
    todo: 'Read the message and act: see below.',
  },
  HandingOver: {
    status: 'False',
    means:
      'Something moves to another resource name or kind: see [handover](../how-to/move-to-another-name-or-kind.md).',
    todo: 'Nothing, unless the message says what stopped it.',
  },
  Holding: {
    status: 'False',
    means: 'Something that the pipeline dropped stays for now.',
    todo: 'See the table of decisions: most end by themselves.',
  },
  Waiting: {
    status: 'False',
    means: 'Something is not created yet, because something else comes first.',
    todo: 'If it lasts, see [what to do](../runbooks/xr-held.md). Before 1.17 an XR without resources is Ready meanwhile.',
  },
  LeftBehind: {
    status: 'False',
    means: "An older backup brought back what nothing proves to be this XR's, and the pipeline dropped it.",
    todo: 'Delete it or keep it apart: see [the runbook](../runbooks/restore-half-done.md).',
  },
  Tethered: {
    status: 'True',
    means: 'Every composed resource is as the pipeline wants it, or retained.',
    todo: 'Nothing.',
  },
} satisfies {readonly [reason: string]: Row};

export type ConditionReason = keyof typeof conditions;

/** The gravest of several. */
export function gravest(reasons: ReadonlySet<string>): ConditionReason {
  const names = Object.keys(conditions) as ConditionReason[];
  return names.find((name) => reasons.has(name)) ?? 'Tethered';
}
