/** What the lists of a reader are, as simply as it can be said: from all people and all posts, without any code of the product's lists. */
import type { PersonDocument } from '../../../src/models/social/network/person.js';
import { byAge, type PostDocument } from '../../../src/models/social/posts/post.js';

interface ImpliedLists {
  readonly news: readonly PostDocument[];
  readonly incoming: readonly PostDocument[];
  readonly wallOf: (owner: string) => readonly PostDocument[];
}

/** @param all everybody @param everything all posts, deleted ones too */
export function impliedLists(
  all: readonly PersonDocument[],
  everything: readonly PostDocument[],
  reader: string,
): ImpliedLists {
  const known = new Map(all.map((each) => [each._id, each]));
  const circlesOf = (author: string) => known.get(author)?.following.find(({ id }) => id === reader)?.circles ?? [];
  const follows = (author: string) => known.get(reader)?.following.some(({ id }) => id === author) ?? false;
  const blocks = (one: string, other: string) => known.get(one)?.blocked.some(({ id }) => id === other) ?? false;
  const apart = (other: string) => other !== reader && (blocks(reader, other) || blocks(other, reader));
  const isMeant = (post: PostDocument) =>
    post.audience === 'MY_CIRCLES'
      ? circlesOf(post.author_id).length > 0
      : post.audience === 'CIRCLES' && circlesOf(post.author_id).some((id) => post.circle_ids.includes(id));
  const sees = (post: PostDocument) =>
    post.live === true &&
    (post.author_id === reader ||
      post.wall_id === reader ||
      (!apart(post.author_id) && !apart(post.wall_id) && (post.audience === 'PUBLIC' || isMeant(post))));
  const seen = everything.filter(sees).sort(byAge);
  return {
    news: seen.filter(
      (post) => post.author_id === reader || (post.audience === 'PUBLIC' ? follows(post.author_id) : isMeant(post)),
    ),
    incoming: seen.filter((post) => post.wall_id === reader && post.author_id !== reader),
    wallOf: (owner: string) =>
      apart(owner)
        ? []
        : seen.filter(
            (post) =>
              post.wall_id === owner && (owner !== reader || post.author_id === reader || follows(post.author_id)),
          ),
  };
}
