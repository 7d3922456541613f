/** A poll: each option is a button with its share of the votes. */
import { useState } from 'react';
import { viewerStore } from '../../api/session.js';
import { useClock } from '../../kit/base/clock.js';
import { formatCountOf, formatMoment, formatShare } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { vote } from '../data/acts.js';
import type { Post } from '../data/post-list.js';
import styles from './post-detail.module.css';

type PollDetail = Extract<NonNullable<Post['detail']>, { __typename: 'PollDetail' }>;

interface PollProps {
  readonly postId: string;
  readonly poll: PollDetail;
  /** Whoever may comment. */
  readonly mayVote: boolean;
  readonly onChange: (post: Post) => void;
}

const TICK_MS = 5_000;

export function Poll({ postId, poll: { question, options, closesAt, myVote }, mayVote, onChange }: PollProps) {
  const isVisitor = useStore(viewerStore) === null;
  const [sent, setSent] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const end = closesAt ? Date.parse(closesAt) : Number.POSITIVE_INFINITY;
  const isClosed = useClock(TICK_MS, (now) => now >= end);
  const all = options.reduce((sum, { votes }) => sum + votes, 0);
  const choose = async (option: number) => {
    if (sent !== null || option === myVote) return;
    setSent(option);
    setFailure(null);
    const voted = await vote(postId, option);
    setSent(null);
    if (typeof voted === 'string') setFailure(voted);
    else onChange(voted);
  };
  return (
    <fieldset className={styles.poll}>
      <legend dir="auto">{question}</legend>
      {options.map(({ number, text, votes }) => {
        const isMine = (sent ?? myVote) === number;
        return (
          <button
            key={number}
            type="button"
            className={styles.option}
            aria-pressed={isMine}
            disabled={isClosed || isVisitor || !mayVote}
            onClick={() => void choose(number)}
          >
            <span className={styles.share} style={{ width: `${all === 0 ? 0 : (100 * votes) / all}%` }} />
            <span className={styles.text}>
              <bdi>{text}</bdi>
            </span>
            {isMine && <Icon name="check" />}
            <span className={styles.votes}>
              {formatCountOf(votes, 'vote')}
              {all > 0 && ` · ${formatShare(votes / all)}`}
            </span>
          </button>
        );
      })}
      {failure !== null && <Notice tone="bad">{failure}</Notice>}
      <p className="note">
        {formatCountOf(all, 'vote')}
        {isVisitor && !isClosed && ' · Members vote'}
        {!mayVote && !isClosed && ' · You cannot vote here'}
        {isClosed && ' · The poll has ended'}
        {!isClosed && closesAt && ` · Ends ${formatMoment(end)} UTC`}
        {mayVote && !isClosed && myVote !== null && myVote !== undefined && ' · You can change your vote'}
      </p>
    </fieldset>
  );
}
