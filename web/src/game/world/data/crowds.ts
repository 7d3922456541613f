/** Who is where, live. */
import { graphql } from '../../../../generated/gql.js';
import type { CrowdsChangedSubscription, LocationChangedSubscription } from '../../../../generated/graphql.js';
import type { EventOf } from '../../../api/subscription.js';
import { useLive } from '../../../api/use-live.js';

export type Crowd = EventOf<CrowdsChangedSubscription>['crowds'][number];
export type CrowdedRoom = EventOf<LocationChangedSubscription>['location'];

const CrowdsChangedDocument = graphql(`
  subscription CrowdsChanged($after: String) {
    crowdsChanged(after: $after) { cursor reset crowds { locationId name online players } }
  }
`);

const LocationChangedDocument = graphql(`
  subscription LocationChanged($id: ID!, $after: String) {
    locationChanged(id: $id, after: $after) {
      cursor reset
      location { id name players { id name class role isOnline } items { id label kind insideId isFixed } }
    }
  }
`);

type Crowds = ReadonlyMap<string, Crowd>;

function take(before: Crowds | null, { reset, crowds }: EventOf<CrowdsChangedSubscription>): Crowds {
  const next = new Map(reset ? [] : before);
  for (const crowd of crowds)
    if (crowd.players === 0) next.delete(crowd.locationId);
    else next.set(crowd.locationId, crowd);
  return next;
}

const nothing = {};

/** By room. */
export const useCrowds = () => useLive(CrowdsChangedDocument, nothing, take);

const latest = (_before: CrowdedRoom | null, { location }: EventOf<LocationChangedSubscription>): CrowdedRoom =>
  location;

/** Who and what is in a room. */
export const useCrowdedRoom = (id: string) => useLive(LocationChangedDocument, { id }, latest);
