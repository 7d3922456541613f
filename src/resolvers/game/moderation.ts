/** What those who keep the world do by hand. */
import { randomUUID } from 'node:crypto';
import type { MutationResolvers } from '../../generated/resolvers.js';
import {
  type Keeping,
  muteCharacter,
  relocateCharacter,
  relocateItem,
  type Target,
} from '../../models/game/moderation/moderation.js';
import type { Context } from '../../server/context/context.js';
import { fromGlobalId } from '../../shared/global-id.js';
import { actOfViewer } from '../people/act.js';
import { storedId } from './act.js';

const keeping = async (context: Context): Promise<Keeping> => ({
  call: randomUUID(),
  act: await actOfViewer(context),
  changed: context.rooms.changed,
});

const KINDS: readonly string[] = ['Location', 'Character', 'Item'] satisfies Target['kind'][];

/** An id of another kind is of a place that is not there. */
function targetOf(globalId: string): Target {
  const { type, id } = fromGlobalId(globalId) ?? { type: '', id: '' };
  return KINDS.includes(type) ? { kind: type as Target['kind'], id } : { kind: 'Location', id: '' };
}

export const Mutation: Pick<MutationResolvers, 'relocateItem' | 'relocateCharacter' | 'muteCharacter'> = {
  relocateItem: async (_root, { itemId, toId }, context) =>
    relocateItem(context.db, storedId('Item', itemId), targetOf(toId), await keeping(context)),
  relocateCharacter: async (_root, { characterId, locationId }, context) =>
    relocateCharacter(
      context.db,
      storedId('Character', characterId),
      storedId('Location', locationId),
      await keeping(context),
    ),
  muteCharacter: async (_root, { characterId, until }, context) =>
    muteCharacter(context.db, storedId('Character', characterId), until ?? null, await actOfViewer(context)),
};
