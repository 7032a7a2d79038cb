import {expect, test} from 'vitest';
import {overwrittenSentence} from '../../site/playground/workspace.ts';
import {restored, workspaceOf} from './stories.ts';

test('an edit that a later step overwrites is reported, with the step and its file', () => {
  const workspace = workspaceOf(restored);
  expect(overwrittenSentence(workspace, 'composition.yaml')).toBe(
    'The step "the Composition drops the replica" applies composition-without-replica.yaml over composition.yaml: change that file, too.',
  );
  expect(overwrittenSentence(workspace, 'composition-without-replica.yaml')).toBeUndefined();
  expect(overwrittenSentence(workspace, 'definition.yaml')).toBeUndefined();
});
