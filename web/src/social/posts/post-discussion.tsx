/** The discussion of a post, with the faces of the network. */
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useData } from '../../api/use-data.js';
import '../../comments/discussion/discussion.css';
import { Discussion } from '../../comments/discussion/discussion.js';
import { type DiscussionComment, nameOf } from '../../comments/discussion/thread.js';
import { Link } from '../../kit/controls/link.js';
import { joinAddress } from '../../people/entrance/way-back.js';
import { signInAddress } from '../../shell/visitor-frame.js';
import { CommentFacesDocument } from '../data/documents.js';
import { useProfile } from '../data/network.js';
import type { Post } from '../data/post-list.js';
import { Face } from '../parts/face.js';
import { addressOf, wallOf } from '../parts/links.js';
import { When } from '../parts/when.js';

export function PostDiscussion({ post: { id, commentCount } }: { post: Post }) {
  const { data, again } = useData(CommentFacesDocument, { on: id });
  const countRead = useRef(commentCount);
  useEffect(() => {
    if (countRead.current === commentCount) return;
    countRead.current = commentCount;
    again(); // somebody new may have commented
  }, [commentCount, again]);
  const authors = useMemo(
    () => new Map(data?.discussion.edges.map(({ node: { author } }) => [author.id, author])),
    [data],
  );
  const by = useCallback(
    ({ author: { id: person, name }, ...comment }: DiscussionComment) => {
      const words = name || 'Deleted account';
      const known = authors.get(person);
      return (
        <>
          <Face name={words} src={known?.profile?.picture?.small} size={28} />
          {person && known?.profile ? (
            <Link href={wallOf(person)} className="comment-author">
              <bdi>{words}</bdi>
            </Link>
          ) : (
            <bdi className="comment-author">{words}</bdi>
          )}
          <When at={comment.postedAt} href={`#comment-${nameOf(comment)}`} />
        </>
      );
    },
    [authors],
  );
  return (
    <Discussion on={id} signInAt={signInAddress(addressOf(id))} by={by} closed={<Closed address={addressOf(id)} />} />
  );
}

/** Nobody comments before having joined, or over a block. */
function Closed({ address }: { address: string }) {
  const { data } = useProfile(null);
  if (!data) return null;
  if (data.profile) return 'The discussion is closed.';
  return (
    <>
      <Link href={joinAddress(address)}>Join the network</Link> to comment and vote.
    </>
  );
}
