// The hashes that names are made of. The names of an XR are asked for in every call: its field manager, its Usages, its stable names.

import {sha256} from '../../hash/sha256.ts';
import {remembered} from '../words/memo.ts';

/** The SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export const digestOf = remembered((text: string) => sha256(text), 4096, 1024);
