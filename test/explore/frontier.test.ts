import {describe, expect, it} from 'vitest';
import {type Frontier, LevelFrontier, StackFrontier} from '../../src/explore/frontier.ts';

function drain(frontier: Frontier<string>): string[] {
  const taken: string[] = [];
  for (let node = frontier.pop(); node >= 0; node = frontier.pop()) taken.push(`${node}${frontier.state ?? '?'}`);
  return taken;
}

describe('frontier', () => {
  it('takes the cheapest first, then the nearest, then the first', () => {
    const frontier = new LevelFrontier<string>(10);
    frontier.push(1, 'a', 1, 0);
    frontier.push(2, 'b', 0, 2);
    frontier.push(3, 'c', 0, 1);
    frontier.push(4, 'd', 0, 1);
    expect(frontier.size).toBe(4);
    expect(drain(frontier)).toEqual(['3c', '4d', '2b', '1a']);
    expect(frontier.size).toBe(0);
  });

  it('takes what is pushed while it is drained', () => {
    const frontier = new LevelFrontier<string>(10);
    frontier.push(1, 'a', 0, 0);
    frontier.pop();
    frontier.push(2, 'b', 1, 1);
    frontier.push(3, 'c', 0, 1);
    expect(drain(frontier)).toEqual(['3c', '2b']);
  });

  it('as a stack takes the last first', () => {
    const frontier = new StackFrontier<string>(10);
    frontier.push(1, 'a');
    frontier.push(2, 'b');
    expect(drain(frontier)).toEqual(['2b', '1a']);
  });

  it('holds no more states than it may, and again some once others are taken', () => {
    for (const frontier of [new LevelFrontier<string>(1), new StackFrontier<string>(1)]) {
      frontier.push(1, 'a', 0, 0);
      frontier.push(2, 'b', 0, 0);
      expect(drain(frontier).sort()).toEqual(['1a', '2?']);
      frontier.push(3, 'c', 0, 0);
      expect(drain(frontier)).toEqual(['3c']);
    }
  });
});
