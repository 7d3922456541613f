/** Acts as clients ask for them, each with a key of its own. */
import type { Act } from '../../src/models/game/acts/act.js';
import { ownerOf } from './many-rooms.js';

/** @param name of the benchmark, so that no two acts have the same key @param changed as in `Act`; default: nobody else sees it */
export function asker(name: string, changed: Act['changed'] = () => undefined): (characterId: string) => Act {
  let asked = 0;
  return (characterId) => {
    asked += 1;
    return { owner: ownerOf(characterId), characterId, call: `${name}-${asked}`, now: new Date(), changed };
  };
}

/** @throws Error the act was refused */
export function requireDone(outcome: { readonly _id: string } | { readonly message: string }): void {
  if (!('_id' in outcome)) throw new Error(outcome.message);
}
