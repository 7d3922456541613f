/** The storage designs for one discussion: what each would cost, the move into another one, and how the database finds its first page. */
import { useState } from 'react';
import type { CommentDesign, CommentOrder } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { Modal } from '../../kit/controls/modal.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Notice } from '../../kit/display/notice.js';
import { Plan } from '../../kit/display/plan.js';
import { isMoving } from '../../kit/display/work-state.js';
import { Waiting } from '../../kit/lists/waiting.js';
import styles from './design.module.css';
import { DesignTable } from './design-table.js';
import { type DiscussionDesign, ExplainDiscussionDocument } from './discussion-design.js';
import { MoveState } from './move-state.js';

interface DesignModalProps {
  readonly nodeId: string;
  readonly discussion: DiscussionDesign;
  readonly onClose: () => void;
}

export function DesignModal({ nodeId, discussion, onClose }: DesignModalProps) {
  const { stored, move, change } = discussion;
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const start = async (design: CommentDesign) => {
    setBusy(true);
    setRefusal(null);
    setRefusal(await change(design));
    setBusy(false);
  };
  return (
    <Modal
      title="Storage of the comments"
      description="Every design gives the same answers. They differ in what reading and writing costs."
      open
      wide
      onOpenChange={onClose}
    >
      <div className={styles.modal}>
        {refusal && <Notice tone="bad">{refusal}</Notice>}
        {move && <MoveState move={move} />}
        {stored && (
          <DesignTable
            key={`table ${stored.design}`}
            nodeId={nodeId}
            stored={stored}
            isBusy={busy || (move !== null && isMoving(move.state))}
            onChange={(design) => void start(design)}
          />
        )}
        <Explanation key={`plan ${stored?.design}`} nodeId={nodeId} />
      </div>
    </Modal>
  );
}

const orders: readonly { readonly value: CommentOrder; readonly label: string }[] = [
  { value: 'THREADED', label: 'Threaded' },
  { value: 'NEWEST_FIRST', label: 'Newest first' },
  { value: 'OLDEST_FIRST', label: 'Oldest first' },
];

function Explanation({ nodeId }: { readonly nodeId: string }) {
  const [order, setOrder] = useState<CommentOrder>('THREADED');
  const answer = useData(ExplainDiscussionDocument, { nodeId, order });
  const { data } = answer;
  return (
    <section className={styles.explanation} aria-label="The first page">
      <div className={styles.head}>
        <h3>How its first page is found</h3>
        <Segmented label="Order" value={order} options={orders} onChange={setOrder} />
      </div>
      <Waiting {...answer} rows={3} />
      {data && !data.explainDiscussion && <p className="note">Nobody has commented yet.</p>}
      {data?.explainDiscussion && <Plan plan={data.explainDiscussion} />}
    </section>
  );
}
