/** The network: people in circles, what they post on their walls, and the news that reach those for whom it is meant. */
import { SECOND_MS } from '../../shared/time.js';
import type { Domain } from '../domain.js';
import { deliveries } from './delivery/delivery.js';
import { erasePerson } from './erasure.js';
import { networkImport } from './import/network-import.js';
import { networkSources } from './import/source.js';
import { findDeliveryViolations, findPersonViolations, findPostViolations } from './invariants.js';
import { followerPages } from './network/follower.js';
import { followNames } from './network/name-following.js';
import { people } from './network/person.js';
import { CourierLoop } from './news/courier-loop.js';
import './news/list-feed.js';
import './news/post-feed.js';
import { newsPages } from './news/news-page.js';
import { newsRebuild } from './news/news-rebuild.js';
import { personalData } from './personal-data.js';
import { votes } from './posts/poll.js';
import { posts } from './posts/post.js';
import { postHost } from './posts/post-comments.js';
import { assetUses } from './posts/post-picture.js';
import { isNetworkEmpty, networkSteps } from './seed/network-seed.js';

/** Usually the process that stored a delivery carries it out at once. This is for what another one has left. */
const DELIVER_MS = 5 * SECOND_MS;

/** They live as long as the process. */
export interface SocialServices {
  readonly courier: CourierLoop;
}

export const social: Domain<object, SocialServices> = {
  name: 'social',
  collections: [people, followerPages, posts, newsPages, deliveries, votes, networkSources],
  invariantChecks: [
    { name: 'People and their followers', collections: [people], find: findPersonViolations },
    { name: 'Posts, their votes, and what is left of deleted ones', collections: [posts], find: findPostViolations },
    { name: 'Deliveries of posts', collections: [deliveries], find: findDeliveryViolations },
  ],
  recoveryWorkers: [
    { name: 'Copy changed names of people in the network', work: (_services, { db }) => followNames(db) },
  ],
  jobs: [
    {
      name: 'Deliver posts that another process has left',
      everyMs: DELIVER_MS,
      atStart: true,
      run: ({ courier }) => courier.run(),
    },
  ],
  metrics: [],
  workKinds: [newsRebuild, networkImport],
  seed: { isEmpty: isNetworkEmpty, steps: () => networkSteps(erasePerson) },
  assetUses,
  personalData,
  commentHost: postHost,
  open: async ({ db, onFault }) => ({
    courier: new CourierLoop(db, (error) => onFault('A post could not be delivered', error)),
  }),
  close: ({ courier }) => courier.close(),
};

declare module '../people/audit.js' {
  interface AuditActions {
    POST_DELETED: true;
    POST_REPORTS_DISMISSED: true;
    NEWS_REBUILT: true;
    NETWORK_IMPORTED: true;
  }
}
