/** Feed events in the shape of the SDL, for feeds whose snapshots and changes have the same content, in one field. */
import type { FeedEvent } from '../../database/index.js';

/** An event of a feed that sends its content whole every time. */
export type FollowedEvent<Content> = FeedEvent<Content, Content>;

/** @param field the SDL's name of the content */
export function followedAs<Field extends string, Content>(field: Field, event: FollowedEvent<Content>) {
  const content = event.kind === 'snapshot' ? event.view : event.change;
  const named = { [field]: content } as Readonly<Record<Field, Content>>;
  return { cursor: event.cursor, reset: event.reset, ...named };
}
