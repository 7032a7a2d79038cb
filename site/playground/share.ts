// A workspace in the fragment of an address: nothing of it reaches a server.

import type {ProfileName} from '../../src/cluster/crossplane/profiles.ts';
import type {StoryTexts, Workspace} from './workspace.ts';

const version = '1';

interface Shared {
  readonly story: string;
  readonly crossplane: ProfileName;
  readonly changed: Workspace['changed'];
}

export async function fragmentOf({story, crossplane, changed}: Workspace): Promise<string> {
  const shared: Shared = {story: story.id, crossplane, changed};
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `${version}.${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Undefined where the fragment is none of ours, is cut off, or names a story that is not here. */
export async function workspaceIn(fragment: string, stories: readonly StoryTexts[]): Promise<Workspace | undefined> {
  const [said, data] = fragment.split('.');
  if (said !== version || data === undefined) return undefined;
  try {
    const letters = atob(data.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream('deflate-raw')));
    const {story: id, crossplane, changed} = JSON.parse(text) as Shared;
    const story = stories.find((one) => one.id === id);
    const isKnown = story?.crossplane.includes(crossplane) === true && isTexts(changed);
    return story !== undefined && isKnown ? {story, crossplane, changed} : undefined;
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string');
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}
