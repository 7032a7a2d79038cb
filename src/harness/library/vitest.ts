// Adds the matchers to Vitest's `expect`, and to its types: `import 'function-tether/harness/vitest';`.

import '../../needs-node.ts';
import {expect} from 'vitest';
import {matchers} from './matchers.ts';
import type {Patience} from './options.ts';

// Vitest's own `Matchers` has one type parameter in 3 and 4 and two in 5, and an interface is only extended under the same
// ones. Each of them takes over what Chai's assertions have, which have none:
// https://github.com/vitest-dev/vitest/blob/v3.2.4/packages/expect/src/types.ts (VitestAssertion).
declare global {
  namespace Chai {
    interface Assertion {
      /** The control plane comes to rest, nothing is stuck, every XR syncs. Of a world it is awaited. */
      toConverge(patience?: Patience): Promise<void>;
      /** Every composed resource that lives is listed by an XR or controlled by an object that lives. */
      toHaveNoOrphans(): void;
      /** No managed resource ever led to another external resource than before, and none has two alive. */
      toKeepExternalIds(): void;
    }
  }
}

expect.extend({...matchers});
