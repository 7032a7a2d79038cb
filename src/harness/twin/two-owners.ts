// Two objects that lead to one external resource, each with policies to delete it: who deletes the one destroys what the other stands for.
// What is in no XR is a person's, or a tool's, and so is what leads there by a name that somebody wrote in both runs.

import type {Ending, Found} from './ending.ts';
import type {Harm} from './harm.ts';

/** The harm of each pair that belongs to XRs with the function, and does not without it. */
export function twoOwners(w: Ending, wo: Ending): readonly Harm[] {
  const pairs = pairsIn(w);
  if (pairs.size === 0) return [];
  const without = pairsIn(wo);
  return [...pairs].flatMap(([pair, place]): readonly Harm[] =>
    without.has(pair) ? [] : [{kind: 'two-owners', place, text: `${pair} would each delete one external resource`}],
  );
}

/** Both places of each pair as text, with the first of them. */
function pairsIn({living, externals, run: {ledger}}: Ending): ReadonlyMap<string, string> {
  const alive = new Set([...externals.values()].flat().map(({id}) => id));
  const owners = [...living.values()].flat().filter(({object, controller}) => {
    const isOwned = controller !== undefined && controller !== '?';
    return isOwned && alive.has(ledger.idOf(object)) && ledger.deletesWith(object);
  });
  const byId = Map.groupBy(owners, ({object}) => ledger.idOf(object));
  return new Map([...byId.values()].filter((all) => all.length > 1).map(pairOf));
}

function pairOf(all: readonly Found[]): readonly [string, string] {
  const places = all.map(({made}) => made.place).sort();
  return [places.join(' and '), places[0] as string];
}
