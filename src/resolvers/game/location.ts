/** Locations: rooms with exits, and who and what is in them. */
import type {
  ExitResolvers,
  LocationResolvers,
  PlayerResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '../../generated/resolvers.js';
import { locationFeed } from '../../models/game/rooms/location-feed.js';
import { findLocations, type Room } from '../../models/game/world/location.js';
import { toGlobalId } from '../../shared/global-id.js';
import { type FollowedEvent, followedAs } from '../support/followed-event.js';
import { storedId } from './act.js';

export const Location: LocationResolvers = {
  id: ({ _id }) => toGlobalId('Location', _id),
  key: ({ _id }) => _id,
  items: ({ inventory }) => inventory,
  isStart: async ({ _id }, _args, { loaders }) => (await loaders().gameStart.load('')) === _id,
};

export const Exit: ExitResolvers = {
  needs: ({ needs, needs_name }) => needs_name ?? needs,
  needsKey: ({ needs }) => needs,
  toId: ({ to }) => toGlobalId('Location', to),
  toKey: ({ to }) => to,
};

export const Player: PlayerResolvers = {
  id: ({ id }) => toGlobalId('Character', id),
  isOnline: ({ is_online }) => (typeof is_online === 'boolean' ? is_online : is_online()),
};

export const Query: Pick<QueryResolvers, 'locations'> = {
  locations: (_root, { first, after }, { db }) => findLocations(db, { first, after }),
};

export const Subscription: Pick<SubscriptionResolvers, 'locationChanged'> = {
  locationChanged: {
    subscribe: (_root, { id, after }, { hub }) => hub.follow(locationFeed, { id: storedId('Location', id) }, { after }),
    resolve: (event: FollowedEvent<Room>) => followedAs('location', event),
  },
};
