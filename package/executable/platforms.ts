// The platforms that get a single executable, and the Node of each. It is not the Node of the image: only from 25.5 on can
// Node put a program into the Node of another platform (--build-sea), and npm has this version for all four.

import type {Pin} from '../runtime/pins.ts';
import pins from './pins.json' with {type: 'json'};

/** An operating system and an architecture in Go's words, as krew and the names of the archives have them. */
export type Platform = keyof typeof pins.packages;

export const platforms = Object.keys(pins.packages) as readonly Platform[];

/** The npm package that holds Node for a platform. */
export function nodeOf(platform: Platform): Pin {
  const {name, digest} = pins.packages[platform];
  return {name, version: pins.version, digest, from: {kind: 'npm', package: `${name}@${pins.version}`}};
}

/** The platform of this machine. Throws with a sentence if there is no executable for it. */
export function platformHere(os: string = process.platform, architecture: string = process.arch): Platform {
  const name = `${os}-${architecture === 'x64' ? 'amd64' : architecture}`;
  const known = platforms.find((one) => one === name);
  if (known === undefined) throw new Error(`expected a platform out of ${platforms.join(', ')}, got ${name}`);
  return known;
}
