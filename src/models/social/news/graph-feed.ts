/** Changes of the graph that concern a person, followed live: for subscriptions that depend on what the person may see. */
import { type ChangeEvent, defineFeed, type EventFeed } from '../../../database/index.js';
import { graphChanges } from '../network/person.js';
import { othersOfChange, peopleOfChange } from './graph-topics.js';

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
  topics: (event: ChangeEvent) => peopleOfChange(event),
  snapshot: async () => ({ others: [] }),
  entries: (event: ChangeEvent) => [{ others: othersOfChange(event) }],
});
