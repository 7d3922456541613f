/** How far a move has come, or what has become of it. */
import { formatCount } from '../../kit/base/format.js';
import { Notice } from '../../kit/display/notice.js';
import { ProgressBar } from '../../kit/display/progress-bar.js';
import { isMoving } from '../../kit/display/work-state.js';
import styles from './design.module.css';
import { designWords } from './design-words.js';
import type { Move } from './discussion-design.js';

export function MoveState({ move: { state, done, total, failure, to } }: { readonly move: Move }) {
  const into = designWords[to].into;
  if (isMoving(state)) {
    const label = `Moving the comments into ${into}`;
    return (
      <div className={styles.move} role="status">
        <span>
          {label}
          {total ? `: ${formatCount(Math.min(done, total))} of ${formatCount(total)}` : ''}
        </span>
        <ProgressBar label={label} share={total ? Math.min(1, done / total) : null} />
        <span className="note">Everybody reads and writes meanwhile.</span>
      </div>
    );
  }
  if (failure) return <Notice tone="bad">The comments stayed where they were: {failure}</Notice>;
  return (
    <Notice tone="good" icon="check">
      The comments are stored as {into} now. Moving back undoes this.
    </Notice>
  );
}
