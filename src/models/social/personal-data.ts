/** What the network stores about an account, and what becomes of it. */
import type { Db } from 'mongodb';
import { type ErasureRule, type PersonalData, type PersonalRow, rowsIn } from '../personal-data.js';
import { deliveries } from './delivery/delivery.js';
import { erasePerson } from './erasure.js';
import { followerPages } from './network/follower.js';
import { markLeft } from './network/leaving.js';
import { followName } from './network/name-following.js';
import { findPerson, type PersonDocument, people } from './network/person.js';
import { newsPages } from './news/news-page.js';
import { findReportedBy } from './posts/moderation.js';
import { votes } from './posts/poll.js';
import { type PostDocument, posts } from './posts/post.js';
import { findSeenPosts } from './posts/post-sight.js';

/**
 * Left out is what others keep to themselves: in which of their circles they have the person, that they have blocked the person, and
 * that they have reported a post. And what follows from a post: how far it has come, and the keyed call that posted it.
 */
const files = {
  'profile.jsonl': 'Your profile in the network, your circles with the people in them, and whom you have blocked',
  'followers.jsonl': 'Who follows you in the network',
  'network-posts.jsonl': 'Posts that you have written in the network, and what is left of those that were deleted',
  'votes.jsonl': 'Your votes in polls',
  'network-reports.jsonl': 'Posts in the network that you have reported, and nobody has decided about',
  'news.jsonl': 'Posts that were delivered into your news in the network, and that you may see',
} as const;

async function* rows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const person = await findPerson(db, accountId);
  if (person) yield { file: 'profile.jsonl', row: profileRow(person) };
  const pages = followerPages(db).find({ user_id: accountId }).sort({ number: 1 });
  for await (const { followers } of pages) for (const row of followers) yield { file: 'followers.jsonl', row };
  const written = posts(db).find({ author_id: accountId }).sort({ posted: -1, _id: -1 });
  yield* rowsIn('network-posts.jsonl', written, postRow);
  const cast = votes(db).find({ voter_id: accountId }).sort({ _id: 1 });
  yield* rowsIn('votes.jsonl', cast, ({ post_id, option }) => ({ post: post_id, option }));
  for await (const { _id, reports = [] } of findReportedBy(db, accountId))
    for (const { at, reason } of reports) yield { file: 'network-reports.jsonl', row: { post: _id, at, reason } };
  yield* newsRows(db, accountId);
}

/** What was delivered grants nothing: of a post that the person does not see any more, its author and time are not told either. */
async function* newsRows(db: Db, accountId: string): AsyncGenerator<PersonalRow, undefined> {
  const news = newsPages(db).find({ user_id: accountId }).sort({ last: -1, _id: -1 });
  for await (const page of news) {
    const seen = await findSeenPosts(
      db,
      accountId,
      page.posts.map(({ id }) => id),
    );
    for (const { id, by, at } of page.posts)
      if (seen.has(id)) yield { file: 'news.jsonl', row: { post: id, by, posted: at } };
  }
}

const profileRow = ({
  name,
  about,
  place,
  interests,
  picture_id,
  joined,
  circles,
  following,
  blocked,
}: PersonDocument) => ({
  name,
  about,
  place,
  interests,
  picture: picture_id,
  joined,
  circles,
  following: following.map(({ id, circles: inCircles, since }) => ({ id, circles: inCircles, since })),
  blocked,
});

function postRow({
  _id,
  wall_id,
  type,
  text,
  detail,
  about,
  audience,
  circle_ids,
  posted,
  edited,
  deleted,
}: PostDocument) {
  const left = { id: _id, wall: wall_id, type, audience, circles: circle_ids, posted };
  return deleted ? { ...left, deleted } : { ...left, text, ...detail, about, edited };
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
    reason: 'Deleted once they have arrived. What fails is tried again until then',
  },
];

export const personalData: PersonalData = { files, rows, leave: markLeft, erase: erasePerson, followName, erasure };
