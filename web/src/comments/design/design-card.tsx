/** The comments on one thing, for editors: how many, how they are stored, and a move into another design. */
import { useState } from 'react';
import { formatCountOf } from '../../kit/base/format.js';
import { Card } from '../../kit/display/card.js';
import { isMoving } from '../../kit/display/work-state.js';
import { Waiting } from '../../kit/lists/waiting.js';
import styles from './design.module.css';
import { DesignModal } from './design-modal.js';
import { designWords } from './design-words.js';
import { useDiscussionDesign } from './discussion-design.js';
import { MoveState } from './move-state.js';

/** @param nodeId the id of a `Commentable` */
export function DesignCard({ nodeId }: { readonly nodeId: string }) {
  const discussion = useDiscussionDesign(nodeId);
  const { stored, isNone, move, error, again } = discussion;
  const [isOpen, setOpen] = useState(false);
  if (isNone) return null;
  return (
    <Card title="Comments" bodyClass={styles.card}>
      <Waiting data={stored} error={error} again={again} rows={2} />
      {stored && (
        <>
          <p>
            <strong className={styles.count}>{formatCountOf(stored.count, 'comment')}</strong>, stored as{' '}
            {designWords[stored.design].into}.
          </p>
          {move && isMoving(move.state) && !isOpen && <MoveState move={move} />}
          <button type="button" className={`button ${styles.open}`} onClick={() => setOpen(true)}>
            Storage of the comments
          </button>
        </>
      )}
      {isOpen && <DesignModal nodeId={nodeId} discussion={discussion} onClose={() => setOpen(false)} />}
    </Card>
  );
}
