/** The game's part of the API. */
import type { GameServices } from '../../models/game/domain.js';
import { type GameLoaders, makeGameLoaders } from '../../models/game/loaders.js';
import { findCharacter } from '../../models/game/world/character.js';
import { findItem, toEntry } from '../../models/game/world/item.js';
import { findLocation } from '../../models/game/world/location.js';
import { anybody, editors } from '../support/access.js';
import type { DomainResolvers } from '../support/domain-resolvers.js';
import * as character from './character.js';
import * as command from './command.js';
import * as crowd from './crowd.js';
import * as handling from './handling.js';
import * as happening from './happening.js';
import * as item from './item.js';
import * as location from './location.js';
import * as moderation from './moderation.js';
import * as movement from './movement.js';
import * as speech from './speech.js';
import * as trade from './trade.js';
import * as world from './world.js';
import * as worldExport from './world-export.js';
import * as worldImport from './world-import.js';

export const resolvers: DomainResolvers = {
  modules: [
    character,
    happening,
    item,
    location,
    handling,
    movement,
    trade,
    speech,
    command,
    world,
    worldExport,
    worldImport,
    moderation,
    crowd,
  ],
  nodes: {
    Character: { mayAsk: anybody, find: ({ db }, id) => findCharacter(db, id) }, // its fields say who may read them
    Location: { mayAsk: editors, find: ({ db }, id) => findLocation(db, id) },
    Item: {
      mayAsk: editors,
      find: async ({ db }, id) => {
        const found = await findItem(db, id);
        return found && toEntry(found, null);
      },
    },
  },
  loaders: makeGameLoaders,
};

declare module '../../server/context/context.js' {
  interface Services extends GameServices {}
  interface Loaders extends GameLoaders {}
}
