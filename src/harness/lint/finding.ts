// The findings of `tether lint`: classes, severities and words.

import type {ClassWords} from '../report/class-findings.ts';

/** A row a class. */
export const classes = {
  'status-gap': {
    severity: 'error',
    title: 'a resource is not desired while the status of another one is gone',
    why: 'A restore tool brings objects back without their status. Until the provider writes it again, the pipeline leaves the resource out: Crossplane 1.19 to 2.3 deletes it, 1.16 and main orphan it.',
    remedy:
      'Let function-tether be the last step: it holds the resource until the other one is Ready again. Or desire a resource that is observed already, whatever the status is.',
  },
  'status-gap-held': {
    severity: 'note',
    title: 'a resource is not desired while the status of another one is gone, and function-tether holds it',
    why: 'After a restore the pipeline leaves the resource out until the provider writes the status again. function-tether keeps it meanwhile.',
    remedy: 'Nothing to do. The condition Tethered names the resource while it is held.',
  },
  'required-gap': {
    severity: 'warning',
    title: 'a resource is not desired while a required resource is absent',
    why: 'A restore may bring the required resource back later than the XR. Until then the pipeline leaves the resource out, and the end of the pipeline does, too: it is deleted or orphaned.',
    remedy:
      'Select the resource in a removal policy Confirm, or set removal.budget, in the input of function-tether. Restore what the pipeline reads before Crossplane starts.',
  },
  'no-value': {
    severity: 'error',
    title: 'a template composes "<no value>" while a status is gone, as after a restore',
    why: 'Go prints it for a field that is absent. The API server takes it as a name or an identifier, and the provider looks for something that is called so.',
    remedy: 'Compose the field, or the resource, only where the value is there, or let the template fail without it.',
  },
  'no-value-at-rest': {
    severity: 'note',
    title: 'a template composes "<no value>" with everything observed and Ready',
    why: 'It reads a field that the XR does not have, or a status that a real provider writes and the simulated cloud does not.',
    remedy: 'Look the field up. `tether init --shows KIND.FIELD=FORM` gives a status its form in a story.',
  },
  refused: {
    severity: 'error',
    title: 'an object that the API server refuses',
    why: 'The object was applied as written to a simulated control plane of that Crossplane version (--crossplane, main by default). A definition is also refused if its CustomResourceDefinition is: it is never Established.',
    remedy: 'The sentence names the field. An unknown field is often of another Crossplane version.',
  },
  'does-not-compose': {
    severity: 'error',
    title: 'the pipeline does not come to rest',
    why: 'A simulated control plane composed each example of the XR, and called function-tether alone with its input.',
    remedy: 'Run `tether init` and `tether test` on the folder: the timeline shows each reconcile.',
  },
  'function-warning': {
    severity: 'warning',
    title: 'function-tether warns at rest',
    why: 'With everything observed and Ready, the condition Tethered is not True, or the step emits a Warning.',
    remedy: 'The sentence names the field of the input, or the resource.',
  },
  'not-last': {
    severity: 'error',
    title: 'function-tether is not the last step that changes desired resources',
    why: 'A later step can remove what function-tether keeps; another function-tether replaces the condition Tethered.',
    remedy: 'Have one step with all of the input at the end of the pipeline. function-auto-ready may come before it.',
  },
  'native-mode': {
    severity: 'error',
    title: 'a Composition without a pipeline',
    why: 'Crossplane 2 has no native patch-and-transform, and calls no function for it on 1.x.',
    remedy: 'Convert it: `crossplane composition convert pipeline-composition`.',
  },
  'keeps-everything': {
    severity: 'warning',
    title: 'a removal policy Retain or Confirm without match',
    why: 'Without match the policy selects every composed resource: nothing that an edit drops ever leaves by itself.',
    remedy: 'Add match with resources, pattern, kinds or labels.',
  },
  'usage-by-own-xr': {
    severity: 'error',
    title: 'a Usage whose `by` is the XR that composes it',
    why: 'If the XR is deleted in the foreground, the Usage waits for the XR and the XR waits for what it composed: neither ever goes (crossplane/crossplane#5962).',
    remedy: 'Remove the Usage. An XR outlives its composed resources only if it is deleted in the foreground.',
  },
  'same-object': {
    severity: 'error',
    title: 'two resource names desire one object',
    why: 'Crossplane applies one over the other in each reconcile, and deletes the object if either name is dropped.',
    remedy: 'Give one of them another metadata.name.',
  },
  'no-definition': {
    severity: 'note',
    title: 'a composed kind without a CustomResourceDefinition',
    why: 'lint made up an open schema for it: fields that the real schema refuses or drops are not found.',
    remedy: 'Pass the provider’s definitions with --crds.',
  },
} as const satisfies {readonly [name: string]: ClassWords};

export type FindingClass = keyof typeof classes;
export const classNames = Object.keys(classes) as readonly FindingClass[];

export interface Finding {
  readonly class: FindingClass;
  /** `file:line:column` of what to change, or the file. */
  readonly place: string;
  /** `KIND/NAME` of the Composition, definition or example. */
  readonly object: string;
  /** The exact mistake, without values of observed objects. */
  readonly sentence: string;
}
