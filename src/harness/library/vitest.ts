// Adds the matchers to Vitest's `expect`, and to its types: `import 'function-tether/harness/vitest';`.

import '../../needs-node.ts';
import {expect} from 'vitest';
import {matchers} from './matchers.ts';
import type {Patience} from './world.ts';

declare module 'vitest' {
  // The type parameters are those that Vitest declares: an interface is only extended under the same ones.
  interface Matchers<R extends void | Promise<void>, T> {
    /** The control plane comes to rest, nothing is stuck, every XR syncs. Of a world it is awaited. */
    toConverge(patience?: Patience): Promise<void>;
    /** Every composed resource that lives is listed by an XR or controlled by an object that lives. */
    toHaveNoOrphans(): R;
    /** No managed resource ever led to another external resource than before, and none has two alive. */
    toKeepExternalIds(): R;
  }
}

expect.extend({...matchers});
