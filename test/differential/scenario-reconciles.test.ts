// What is compared is what the story has: every phase of a move, with what is observed then and what is answered.

import {expect, test} from 'vitest';
import {renderOurs} from './render-ours.ts';
import {reconcilesOf} from './scenario-reconciles.ts';

const example = new URL('../../examples/handover/turn-back.yaml', import.meta.url).pathname;

test('a move that is turned back has reconciles of each of its phases', () => {
  const {reconciles} = reconcilesOf(example);
  const phases = [...new Set(reconciles.map(({phase}) => phase))];
  // `refuse` is the call before Crossplane has answered what the new kind has, and is called again with that. Whether the new
  // object has its policies by the moment that the team turns back (`taking-over`) is chance.
  const moving = ['refuse', 'letting-go', 'observing', 'giving-back', 'taking-back'];
  expect(phases.filter((phase) => phase !== 'taking-over')).toEqual(['at rest', ...moving]);
  const turned = reconciles.filter(({phase}) => phase === 'giving-back').map(({story}) => renderOurs(story));
  const deleted = turned.flatMap((outcome) => outcome.deleted.map(({apiVersion}) => apiVersion));
  expect(new Set(deleted)).toEqual(new Set(['cloud.m.example.org/v1']));
});
