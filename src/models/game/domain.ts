/** The text game: characters, items and locations, and the acts that move them. */
import { randomUUID } from 'node:crypto';
import { clockFrom } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { repairTransits } from './acts/continuing.js';
import { REPAIR_AFTER_MS } from './acts/turn.js';
import { repairItems } from './building/item-saving.js';
import { repairLeaving } from './characters/character-deletion.js';
import { findLooks } from './characters/character-looks.js';
import { mutes } from './characters/mute.js';
import { worldExport } from './export/world-export.js';
import { worldImport } from './import/world-import.js';
import {
  findCharacterViolations,
  findGoldViolations,
  findItemViolations,
  findLocationViolations,
  findStuckActs,
} from './invariants.js';
import { personalData } from './personal-data.js';
import { Presences, presences, SWEEP_MS, sweepPresences } from './rooms/presence.js';
import { RoomCopier } from './rooms/room-copier.js';
import { repairCopies } from './rooms/room-copy.js';
import './rooms/crowd.js';
import './rooms/character-feed.js';
import './rooms/location-feed.js';
import { isWorldEmpty, worldSteps } from './seed/world-seed.js';
import { characters } from './world/character.js';
import { items } from './world/item.js';
import { locations } from './world/location.js';
import { freeStrayItems } from './world/stray-items.js';
import { worlds } from './world/world.js';

/** They live as long as the process. */
export interface GameServices {
  /** Brings the copies of changed rooms up to date. */
  readonly rooms: RoomCopier;
  /** Who is online through this process. */
  readonly presences: Presences;
}

export const game: Domain<object, GameServices> = {
  name: 'game',
  collections: [characters, items, locations, worlds, presences, mutes],
  invariantChecks: [
    { name: 'Items of the game', collections: [items], find: findItemViolations },
    { name: 'Locations of the game', collections: [locations], find: findLocationViolations },
    { name: 'Characters of the game', collections: [characters], find: findCharacterViolations },
    { name: 'Acts of the game', collections: [locations], find: findStuckActs },
    { name: 'Gold of the game', collections: [characters], find: findGoldViolations },
  ],
  // In this order: what transits change, copies show.
  recoveryWorkers: [
    {
      name: 'Finish or take back acts of the game',
      work: (_services, { db, now, before }) => repairTransits(db, before(REPAIR_AFTER_MS), clockFrom(now)),
    },
    {
      name: 'Finish changes of items of the game',
      work: (_services, { db, before }) => repairItems(db, before(REPAIR_AFTER_MS)),
    },
    {
      name: 'Finish deletions of characters',
      work: ({ rooms }, { db, now, before }) =>
        repairLeaving(db, before(REPAIR_AFTER_MS), {
          call: randomUUID(),
          now: clockFrom(now),
          changed: rooms.changed,
        }),
    },
    {
      name: 'Find what names of characters look like',
      work: (_services, { db }) => findLooks(db),
    },
    {
      name: 'Bring the copies of rooms up to date',
      work: (_services, { db, before }) => repairCopies(db, before(REPAIR_AFTER_MS)),
    },
    {
      name: 'Free items of the game whose container is gone',
      isDaily: true,
      work: ({ rooms }, { db, now }) => freeStrayItems(db, { now, changed: rooms.changed }),
    },
  ],
  jobs: [
    {
      name: 'Mark players who have gone without a word as away',
      everyMs: SWEEP_MS,
      atStart: true,
      run: ({ rooms }, { db, now }) => sweepPresences(db, now(), rooms.changed),
    },
  ],
  metrics: [],
  workKinds: [worldImport, worldExport],
  seed: { isEmpty: isWorldEmpty, steps: ({ rooms }) => worldSteps(rooms.changed) },
  personalData,
  open: async ({ db, now, onFault }) => {
    const rooms = new RoomCopier(db, (error) => onFault('A room of the game could not be copied', error));
    const told = (error: unknown) => onFault('A player could not be shown as online or away', error);
    return { rooms, presences: new Presences(db, now, rooms.changed, told) };
  },
  close: async ({ rooms, presences: own }) => {
    await own.close();
    await rooms.close();
  },
};

declare module '../people/audit.js' {
  interface AuditActions {
    RELOCATED: true;
    CHARACTER_MUTED: true;
    WORLD_IMPORTED: true;
  }
}
