/** Changes of locations: each raises the version, and marks that the copies are behind. */
import type { Document } from 'mongodb';
import { HAPPENINGS_MAX, type RoomHappening } from './happening.js';

/** Of happenings. The process that has changed the room removes the oldest long before there are so many. */
const STORED_MAX = 2 * HAPPENINGS_MAX;

/**
 * The update of a change, with a happening or without one.
 * @param at when, for `uncopied_since`
 * @param pushed what is added to arrays besides
 */
export function changeOf(
  { at }: { readonly at: Date },
  happening: RoomHappening | null,
  pushed: Document = {},
): Document {
  const heard = happening && { happenings: { $each: [happening], $slice: -STORED_MAX } };
  return {
    ...((heard || Object.keys(pushed).length > 0) && { $push: { ...pushed, ...heard } }),
    $inc: { version: 1, ...(happening && { happened: 1 }) },
    $min: { uncopied_since: at },
  };
}
