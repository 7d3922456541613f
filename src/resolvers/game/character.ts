/** Characters and what they see. */
import type {
  CharacterResolvers,
  CreateCharacterResultResolvers,
  DeleteCharacterResultResolvers,
  DeletedCharacterResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { slotOf } from '../../models/game/acts/equipment.js';
import { type Created, createCharacter } from '../../models/game/characters/character-creation.js';
import { deleteCharacter, deletionBrief } from '../../models/game/characters/character-deletion.js';
import { characterFeed } from '../../models/game/rooms/character-feed.js';
import {
  type CharacterDocument,
  type CharacterNotFound,
  findCharacter,
  findCharacterOf,
  findCharacters,
  findOwnCharacters,
} from '../../models/game/world/character.js';
import { publicHappenings, shownHappenings } from '../../models/game/world/happening.js';
import type { Room } from '../../models/game/world/location.js';
import { hasRole, requirePerson } from '../../server/identity/viewer.js';
import { SextantError } from '../../shared/errors.js';
import { toGlobalId } from '../../shared/global-id.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { runOnce } from '../support/once.js';
import { resultType } from '../support/result-type.js';
import { briefOf, storedId } from './act.js';

/** What is on the body, with the items. */
function worn<Place>(
  { inventory }: CharacterDocument,
  list: readonly { readonly id: string }[],
  placeOf: (at: number) => Place,
) {
  return list.flatMap(({ id }, at) => {
    const item = inventory.find((each) => each.id === id);
    return item ? [{ slot: placeOf(at), item: { ...item, slot: placeOf(at) } }] : [];
  });
}

/** @returns whether somebody is online. The room is not looked through unless that is asked for. */
function onlineIn(room: Room): (id: string) => boolean {
  let online: ReadonlySet<string> | undefined;
  return (id) => {
    online ??= new Set(room.players.filter(({ is_online }) => is_online).map((player) => player.id));
    return online.has(id);
  };
}

export const Character: CharacterResolvers = {
  id: ({ _id }) => toGlobalId('Character', _id),
  armor: (character) => worn(character, character.armor, (at) => character.armor[at]?.region ?? 'BODY'),
  weapons: (character) => worn(character, character.weapons, (at) => character.weapons[at]?.hand ?? 'RIGHT_HAND'),
  inventory: (character) => character.inventory.map((item) => ({ ...item, slot: slotOf(character, item.id) })),
  weightMax: ({ weight_max }) => weight_max,
  happenings: (character, _args, { viewer }) => {
    const isOnline = onlineIn(character.location);
    const isOwn = character.owner !== null && character.owner === viewer.id;
    const shown = isOwn ? shownHappenings(character) : publicHappenings(character);
    return shown.map((happening) => ({ ...happening, isOnline }));
  },
  owner: async ({ owner }, _args, { loaders }) =>
    owner === null ? null : { _id: owner, name: await loaders().personName.load(owner) },
  mutedUntil: ({ muted_until }, _args, { now }) => (muted_until && muted_until > now() ? muted_until : null),
};

export const DeletedCharacter: DeletedCharacterResolvers = { id: ({ _id }) => toGlobalId('Character', _id) };
export const CreateCharacterResult: CreateCharacterResultResolvers = { __resolveType: resultType('Character') };
export const DeleteCharacterResult: DeleteCharacterResultResolvers = { __resolveType: resultType('DeletedCharacter') };

export const Query: Pick<QueryResolvers, 'characters' | 'character' | 'allCharacters'> = {
  characters: (_root, _args, { db, viewer }) => findOwnCharacters(db, requirePerson(viewer)),
  character: (_root, { id }, { db, viewer }) =>
    findCharacterOf(db, hasRole(viewer, 'EDITOR') ? null : requirePerson(viewer), storedId('Character', id)),
  allCharacters: (_root, { first, after }, { db }) => findCharacters(db, { first, after }),
};

export const Mutation: Pick<MutationResolvers, 'createCharacter' | 'deleteCharacter'> = {
  createCharacter: (_root, { input, idempotencyKey: key }, context) => {
    const { db, viewer, rooms } = context;
    const owner = requirePerson(viewer);
    return runOnce<Created | CharacterNotFound>(
      context,
      { operation: 'createCharacter', key, input },
      (call, now) => createCharacter(db, owner, input, { call, now, changed: rooms.changed }),
      briefOf(context),
    );
  },
  deleteCharacter: (_root, { id, idempotencyKey: key }, context) => {
    const { db, viewer, rooms } = context;
    const owner = requirePerson(viewer);
    return runOnce(
      context,
      { operation: 'deleteCharacter', key, input: id },
      (call, now, begunAt) =>
        deleteCharacter(db, { owner, id: storedId('Character', id), begunAt }, { call, now, changed: rooms.changed }),
      deletionBrief,
    );
  },
};

export const Subscription: Pick<SubscriptionResolvers, 'roomChanged'> = {
  roomChanged: {
    subscribe: async (_root, { characterId, after }, { db, viewer, hub, presences }) => {
      const id = storedId('Character', characterId);
      const character = await findCharacter(db, id);
      if (!character || character.owner !== requirePerson(viewer))
        throw new SextantError('NOT_FOUND', 'You have no character with this id');
      const follow = await hub.follow(characterFeed, { id, createdAt: character.created_at }, { after });
      const presence = await presences.enter(id).catch((error: unknown) => {
        follow.end();
        throw error;
      });
      follow.whenEnded(() => presence.leave());
      return follow;
    },
    resolve: (event: FollowedEvent<CharacterDocument>) => followedAs('character', event),
  },
};
