/** What the network stores about an account, and what becomes of it. */
import type { Db } from 'mongodb';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { deliveries } from './delivery/delivery.js';
import { erasePerson } from './erasure.js';
import { followerPages } from './network/follower.js';
import { findPerson, people } from './network/person.js';
import { newsPages } from './news/news-page.js';
import { votes } from './posts/poll.js';
import { posts } from './posts/post.js';

const files = {
  'profile.jsonl': 'Your profile in the network, your circles with the people in them, and whom you have blocked',
  'network-posts.jsonl': 'Posts that you have written in the network',
  'votes.jsonl': 'Your votes in polls',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const person = await findPerson(db, accountId);
  if (person) {
    const { name, about, place, interests, joined, circles, following, blocked } = person;
    yield { file: 'profile.jsonl', row: { name, about, place, interests, joined, circles, following, blocked } };
  }
  const written = posts(db).find({ author_id: accountId }).sort({ posted: -1, _id: -1 });
  for await (const { _id, wall_id, type, text, detail, about, audience, posted, edited, live } of written)
    if (live)
      yield {
        file: 'network-posts.jsonl',
        row: { id: _id, wall: wall_id, type, text, ...detail, about, audience, posted, edited },
      };
  const cast = votes(db).find({ voter_id: accountId }).sort({ _id: 1 });
  yield* rowsIn('votes.jsonl', cast, ({ post_id, option }) => ({ post: post_id, option }));
}

const erasure: readonly ErasureRule[] = [
  {
    data: 'Profile, circles, followers and blocks',
    collections: [people, followerPages],
    becomes: 'ERASED',
    reason: 'Nobody has the person in a circle any more',
  },
  {
    data: 'Posts in the network, votes and reports of posts',
    collections: [posts, votes],
    becomes: 'ERASED',
    reason: 'Their readers and the polls no longer have them',
  },
  {
    data: 'What others have posted on the wall of the person',
    collections: [posts, votes],
    becomes: 'ERASED',
    reason: 'It goes with the wall, whose owner may delete it. Until then its authors see it, and export it',
  },
  {
    data: 'News',
    collections: [newsPages],
    becomes: 'ERASED',
    reason: 'They are the reading list of the person',
  },
  {
    data: 'How far posts are on their way into the news',
    collections: [deliveries],
    becomes: 'ERASED',
    reason: 'Deleted once they have arrived. What has failed ends by itself after 30 days',
  },
];

export const personalData: PersonalData = { files, rows, erase: erasePerson, erasure };
