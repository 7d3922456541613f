/** Where everybody is. */
import type { FeedEvent } from '../../database/index.js';
import type { LocationCrowdResolvers, SubscriptionResolvers } from '../../generated/resolvers.js';
import { type Crowd, crowdFeed } from '../../models/game/rooms/crowd.js';
import { toGlobalId } from '../../shared/global-id.js';
import { followedAs } from '../support/followed-event.js';

export const LocationCrowd: LocationCrowdResolvers = { locationId: ({ id }) => toGlobalId('Location', id) };

export const Subscription: Pick<SubscriptionResolvers, 'crowdsChanged'> = {
  crowdsChanged: {
    subscribe: (_root, { after }, { hub }) => hub.follow(crowdFeed, {}, { after }),
    resolve: (event: FeedEvent<readonly Crowd[], readonly Crowd[]>) => followedAs('crowds', event),
  },
};
