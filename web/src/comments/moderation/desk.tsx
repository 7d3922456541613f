/** The queue with its selection: what is decided about one comment or about many, by pointer or by key. */
import { useRef, useState } from 'react';
import { useStore } from '../../kit/base/store.js';
import { Empty } from '../../kit/display/notice.js';
import { CaseRow } from './case-row.js';
import { DeleteDialog } from './delete-dialog.js';
import styles from './desk.module.css';
import { DeskBar } from './desk-bar.js';
import type { Decision } from './moderated-comment.js';
import type { OpenQueue, Outcome } from './open-queue.js';
import { type Filter, isOpen, kindOf, type Queue } from './queue.js';
import { useDeskKeys } from './use-desk-keys.js';
import { useFocusAfter } from './use-focus-after.js';
import { useSelection } from './use-selection.js';
import { opposite } from './words.js';

export function Desk({ opened, queue }: { readonly opened: OpenQueue; readonly queue: Queue }) {
  const { failure, isLoading } = useStore(opened.state);
  const [filter, setFilter] = useState<Filter>('ALL');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [toDelete, setToDelete] = useState<readonly string[] | null>(null);
  const last = useRef<Promise<Outcome> | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const shown = queue.cases.filter((each) => filter === 'ALL' || kindOf(each) === filter);
  const open = shown.filter(isOpen).map(({ comment }) => comment.id);
  const { selected, select, selectAll, clear } = useSelection(open);
  const focusAfter = useFocusAfter(list, queue);

  const decideNow = (ids: readonly string[], decision: Decision) => {
    focusAfter(ids.at(-1) ?? null);
    clear(ids);
    setOutcome(null);
    const answer = opened.decide(ids, decision);
    last.current = answer;
    void answer.then((next) => last.current === answer && setOutcome(next));
  };
  const decide = (ids: readonly string[], decision: Decision) => {
    if (ids.length === 0) return;
    if (decision === 'DELETED') setToDelete(ids);
    else decideNow(ids, decision);
  };
  /** Also while the server has not answered the last decision yet. */
  const takeBack = async () => {
    const answer = last.current;
    const taken = await answer;
    if (!taken || last.current !== answer) return;
    const instead = opposite[taken.decision];
    if (instead) decide(taken.done, instead);
  };
  const latest = useRef(decide);
  latest.current = decide;
  const [decideOne] = useState(() => (ids: readonly string[], decision: Decision) => latest.current(ids, decision));
  const press = useDeskKeys({ list, open, selected, select, clear, decide, takeBack: () => void takeBack() });

  if (queue.cases.length === 0 && queue.isComplete) return <Nothing />;
  const decided = queue.cases.filter((each) => !isOpen(each) && each.sent === null).length;
  return (
    <>
      <DeskBar
        {...{ filter, setFilter, selected, decided, outcome, failure }}
        takeBack={() => void takeBack()}
        openCount={open.length}
        onSelectAll={selectAll}
        onDecide={(decision) => decide(selected, decision)}
        onTidy={opened.tidy}
      />
      {open.length === 0 && <AllDone filter={filter} isComplete={queue.isComplete} />}
      <ul ref={list} className={styles.list} aria-label="Comments" aria-describedby="moderation-keys" onKeyDown={press}>
        {shown.map((item) => (
          <CaseRow
            key={item.comment.id}
            item={item}
            isSelected={selected.includes(item.comment.id)}
            onSelect={select}
            onDecide={decideOne}
          />
        ))}
      </ul>
      {!queue.isComplete && (
        <div className={styles.more}>
          <button type="button" className="button" disabled={isLoading} onClick={() => void opened.more()}>
            {isLoading ? 'Loading …' : 'Show more'}
          </button>
        </div>
      )}
      {toDelete && <DeleteDialog ids={toDelete} onDelete={decideNow} onClose={() => setToDelete(null)} />}
    </>
  );
}

const Nothing = () => (
  <div className={styles.nothing}>
    <Empty icon="check" title="Nothing to decide">
      What visitors write waits here until you let it through, and so does what members report. New comments show at
      once.
    </Empty>
  </div>
);

function AllDone({ filter, isComplete }: { readonly filter: Filter; readonly isComplete: boolean }) {
  const which = filter === 'ALL' ? '' : filter === 'HELD' ? 'held ' : 'reported ';
  return (
    <p className={styles.done} role="status">
      {isComplete
        ? `No ${which}comment waits any more.`
        : `No ${which}comment of these waits any more. There are more of them.`}
    </p>
  );
}
