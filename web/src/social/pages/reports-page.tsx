/** Posts that were reported, for editors: they keep or delete each. */
import { useState } from 'react';
import type { ReportedPostsQuery } from '../../../generated/graphql.js';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { formatMoment } from '../../kit/base/format.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { remove } from '../data/acts.js';
import { dismissReports, ReportedPostsDocument } from '../data/reports.js';
import { PostCard } from '../posts/post-card.js';
import styles from './page.module.css';

const FIRST = 20;
const POLL_MS = 10_000;

export function ReportsPage() {
  const answer = useData(ReportedPostsDocument, { first: FIRST });
  const { data, error, again } = answer;
  const [opened, open] = useState<string | null>(null);
  usePolling(again, POLL_MS);
  return (
    <div className={styles.column}>
      {(!data || error) && <Waiting {...answer} rows={3} height="160px" />}
      {data?.reportedPosts.edges.length === 0 && (
        <Empty icon="check" title="Nothing was reported">
          Posts that somebody reports wait here for a decision.
        </Empty>
      )}
      {data?.reportedPosts.edges.map(({ node }) => (
        <Reported key={node.id} post={node} isOpen={opened === node.id} onOpen={open} onDone={again} />
      ))}
      {data?.reportedPosts.pageInfo.hasNextPage && <p className="note">More follow when these are decided.</p>}
    </div>
  );
}

type ReportedPost = ReportedPostsQuery['reportedPosts']['edges'][number]['node'];

interface ReportedProps {
  readonly post: ReportedPost;
  readonly isOpen: boolean;
  readonly onOpen: (id: string | null) => void;
  readonly onDone: () => void;
}

function Reported({ post, isOpen, onOpen, onDone }: ReportedProps) {
  const [isDeleting, setDeleting] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const name = post.author.name || 'a deleted account';
  const keep = async () => {
    const failed = await dismissReports(post.id);
    setFailure(failed);
    if (failed === null) onDone();
  };
  return (
    <div className={styles.report}>
      <PostCard
        post={post}
        isOpen={isOpen}
        onOpen={onOpen}
        onChange={onDone}
        onRemove={onDone}
        isShut={post.audience !== 'PUBLIC' && post.commentPolicy === 'NOBODY'}
      />
      <ul className={styles.reasons} aria-label="Reports">
        {post.reports?.map(({ by, at, reason }) => (
          <li key={`${by.id} ${at}`}>
            <q>{reason}</q>{' '}
            <span className="note">
              {by.name || 'Deleted account'}, {formatMoment(Date.parse(at))} UTC
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.acts}>
        <button type="button" className="button" aria-label={`Keep the post by ${name}`} onClick={() => void keep()}>
          Keep
        </button>
        <button
          type="button"
          className="button danger"
          aria-label={`Delete the post by ${name}`}
          onClick={() => setDeleting(true)}
        >
          Delete
        </button>
      </div>
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      {isDeleting && (
        <Confirmation
          title="Delete this post?"
          consequence={`The post by ${name} disappears for everybody, with its comments. This cannot be undone.`}
          no="Cancel"
          yes="Delete post"
          act={() => remove(post.id)}
          onClose={() => setDeleting(false)}
          onDone={onDone}
        />
      )}
    </div>
  );
}
