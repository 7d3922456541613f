/**
 * Happenings: what is seen and heard in a room. An act writes its happening into the location, in the same update as its effect. From
 * there it gets to the characters in the room with a number (`rooms/hearing.ts`), so that each is shown once.
 */

import type { Doer } from './player.js';

export type HappeningKind =
  | 'CAME'
  | 'LEFT'
  | 'TOOK'
  | 'PUT'
  | 'DRESSED'
  | 'TRADED'
  | 'SAID'
  | 'WHISPERED'
  | 'LOOKED'
  | 'CHANGED';

/** As the location has it. */
export interface RoomHappening {
  /** The id of the call, which makes a repetition harmless. */
  call: string;
  at: Date;
  kind: HappeningKind;
  who: Doer | null;
  /** As everybody sees it. */
  text: string;
  /** As the doer sees it. */
  own: string;
  /** Another character who sees it in other words. */
  to?: string;
  to_text?: string;
  /** Only the doer and the other character see it. */
  is_private?: boolean;
}

/** As a character has it. */
export interface Happening {
  /** Of its own acts, the id of the call. Earlier releases did not keep it. */
  call?: string;
  number: number;
  at: Date;
  kind: HappeningKind;
  who: Doer | null;
  text: string;
}

/** How many a location, and a character, keep at least. These are shown. */
export const HAPPENINGS_KEPT = 100;
/**
 * How many they have before the oldest are removed, down to those that are kept. If each new one pushed out the oldest, all others would
 * change their place, and the oplog and the change stream would carry all of them for each.
 */
export const HAPPENINGS_MAX = 150;

const PRIVATE: readonly HappeningKind[] = ['WHISPERED', 'LOOKED'];

/** The last ones, oldest first. */
export const shownHappenings = ({ happenings }: { readonly happenings: readonly Happening[] }): readonly Happening[] =>
  happenings.slice(-HAPPENINGS_KEPT);

/** The last ones that others than the character's own person may read: without what reached only the character. */
export const publicHappenings = (heard: { readonly happenings: readonly Happening[] }): readonly Happening[] =>
  shownHappenings(heard).filter(({ kind }) => !PRIVATE.includes(kind));
