/** The text game: characters, items and locations, and the acts that move them. */
import { randomUUID } from 'node:crypto';
import type { Domain } from '../domain.js';
import { repairTransits } from './acts/continuing.js';
import { REPAIR_AFTER_MS } from './acts/turn.js';
import { repairItems } from './building/item-saving.js';
import { repairLeaving } from './characters/character-deletion.js';
import { RoomCopier } from './rooms/room-copier.js';
import { repairCopies } from './rooms/room-copy.js';
import './rooms/screen-feed.js';
import { characters } from './world/character.js';
import { items } from './world/item.js';
import { locations } from './world/location.js';
import { worlds } from './world/world.js';

/** They live as long as the process. */
export interface GameServices {
  /** Brings the copies of changed rooms up to date. */
  readonly rooms: RoomCopier;
}

export const game: Domain<object, GameServices> = {
  name: 'game',
  collections: [characters, items, locations, worlds],
  invariantChecks: [],
  // In this order: what transits change, copies show.
  recoveryWorkers: [
    {
      name: 'Finish or take back acts of the game',
      work: (_services, { db, now, before }) => repairTransits(db, before(REPAIR_AFTER_MS), now),
    },
    {
      name: 'Finish changes of items of the game',
      work: (_services, { db, before }) => repairItems(db, before(REPAIR_AFTER_MS)),
    },
    {
      name: 'Finish deletions of characters',
      work: ({ rooms }, { db, now, before }) =>
        repairLeaving(db, before(REPAIR_AFTER_MS), { call: randomUUID(), now, changed: rooms.changed }),
    },
    {
      name: 'Bring the copies of rooms up to date',
      work: (_services, { db, before }) => repairCopies(db, before(REPAIR_AFTER_MS)),
    },
  ],
  jobs: [],
  metrics: [],
  open: async ({ db, onFault }) => ({
    rooms: new RoomCopier(db, (error) => onFault('A room of the game could not be copied', error)),
  }),
  close: ({ rooms }) => rooms.close(),
};

declare module '../people/audit.js' {
  interface AuditActions {
    RELOCATED: true;
    CHARACTER_MUTED: true;
    WORLD_IMPORTED: true;
  }
}
