/** Above the queue, always in sight: the selection, what to do with it, and what the last decision has come to. */
import { useEffect, useRef } from 'react';
import { Segmented } from '../../kit/controls/segmented.js';
import { Icon } from '../../kit/display/icon.js';
import styles from './desk-bar.module.css';
import type { Decision } from './moderated-comment.js';
import type { Outcome } from './open-queue.js';
import type { Filter } from './queue.js';
import { countOfComments, decisionWords, opposite } from './words.js';

const filters: readonly { readonly value: Filter; readonly label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'HELD', label: 'Held' },
  { value: 'REPORTED', label: 'Reported' },
];
const decisions: readonly Decision[] = ['PUBLISHED', 'HIDDEN', 'DELETED'];

interface DeskBarProps {
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly selected: readonly string[];
  /** How many can be selected. */
  readonly openCount: number;
  /** How many are decided, and still shown. */
  readonly decided: number;
  readonly outcome: Outcome | null;
  readonly failure: string | null;
  readonly onSelectAll: (isSelected: boolean) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly takeBack: () => void;
  readonly onTidy: () => void;
}

export function DeskBar(props: DeskBarProps) {
  const { filter, setFilter, selected, openCount, decided, onDecide, onTidy } = props;
  return (
    <div className={styles.bar}>
      <div className={styles.line}>
        <SelectAll {...props} />
        <span className={styles.decisions}>
          {decisions.map((decision) => (
            <button
              key={decision}
              type="button"
              className={`button small ${decision === 'DELETED' ? 'danger' : ''}`}
              disabled={selected.length === 0}
              onClick={() => onDecide(decision)}
            >
              {decisionWords[decision].act}
              <span className="hidden"> the selected comments</span>
            </button>
          ))}
        </span>
        <span className={styles.filter}>
          <Segmented label="Show" value={filter} options={filters} onChange={setFilter} />
        </span>
        <button type="button" className="button small" disabled={decided === 0} onClick={onTidy}>
          Clear {decided > 0 && decided} decided
        </button>
      </div>
      <Status {...props} />
      <p id="moderation-keys" className={styles.keys} hidden={openCount === 0}>
        In the list: <kbd>↑</kbd> <kbd>↓</kbd> go from comment to comment, <kbd>Space</kbd> selects, <kbd>P</kbd>{' '}
        publishes, <kbd>H</kbd> hides, <kbd>D</kbd> deletes, <kbd>Z</kbd> takes back.
      </p>
    </div>
  );
}

function SelectAll({ selected, openCount, onSelectAll }: DeskBarProps) {
  const box = useRef<HTMLInputElement>(null);
  const isPart = selected.length > 0 && selected.length < openCount;
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart; // no attribute has this
  }, [isPart]);
  return (
    <label className={`check ${styles.all}`}>
      <input
        ref={box}
        type="checkbox"
        checked={openCount > 0 && selected.length === openCount}
        disabled={openCount === 0}
        onChange={(event) => onSelectAll(event.target.checked)}
      />
      {selected.length > 0 ? `${selected.length} selected` : 'Select all'}
    </label>
  );
}

/** Always as high, so that the list stays where it is. */
function Status({ outcome, failure, takeBack }: DeskBarProps) {
  const instead = outcome && outcome.done.length > 0 ? opposite[outcome.decision] : null;
  return (
    <div className={styles.status} role="status">
      {failure && (
        <span className={styles.failure}>
          <Icon name="warning" /> Not done: {failure}
        </span>
      )}
      {!failure && outcome && outcome.done.length > 0 && (
        <span>
          {decisionWords[outcome.decision].done} {countOfComments(outcome.done.length)}.
        </span>
      )}
      {!failure && outcome && outcome.refused > 0 && (
        <span className={styles.failure}>
          {countOfComments(outcome.refused)} could not be changed: the reason is at each.
        </span>
      )}
      {instead && (
        <button type="button" className="link" onClick={takeBack}>
          {decisionWords[instead].act} {outcome?.done.length === 1 ? 'it' : 'them'} instead
        </button>
      )}
    </div>
  );
}
