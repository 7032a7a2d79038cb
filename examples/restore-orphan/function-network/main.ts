// The platform team's own function, as they would write it with the TypeScript SDK: it templates a whole AWS network from
// a Network XR. It knows nothing of function-tether; the two meet only in the pipeline.
import {serve} from '@crossplane-org/function-sdk-typescript';
import {composeNetwork} from './compose.ts';

await serve(composeNetwork);
