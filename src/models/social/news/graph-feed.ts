/** Changes of the graph that concern a person, followed live: for subscriptions that depend on what the person may see. */
import { type ChangeEvent, defineFeed, type EventFeed } from '../../../database/index.js';
import { graphChanges } from '../network/person.js';
import { peopleOfChange } from './list-feed.js';

/** Something has changed between the person and others. */
export interface GraphChange {
  readonly others: readonly string[];
}

export const graphFeed: EventFeed<{ readonly person: string }, GraphChange, GraphChange> = defineFeed({
  kind: 'events',
  name: 'social graph',
  collections: [graphChanges],

  key: ({ person }: { readonly person: string }) => person,
  topic: ({ person }: { readonly person: string }) => person,
  topics: (event: ChangeEvent) => {
    const others = peopleOfChange(event);
    return others.length > 0 || event.operation === 'delete' ? [String(event.documentKey._id), ...others] : [];
  },
  snapshot: async () => ({ others: [] }),
  entries: (event: ChangeEvent) => [{ others: peopleOfChange(event) }],
});
