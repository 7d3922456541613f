/** A grid that scrolls through all requests, by pointer or arrow keys. A click or Enter opens one. */
import { type CSSProperties, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { EventFilter } from '../../../generated/graphql.js';
import { useIsAway } from '../../api/connection.js';
import { connectionStore } from '../../api/socket.js';
import { formatCount, formatMoment } from '../../kit/base/format.js';
import { NARROW, useMedia } from '../../kit/base/media.js';
import { useStore } from '../../kit/base/store.js';
import { Icon } from '../../kit/display/icon.js';
import { Failure } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './request-grid.module.css';
import { type ListState, type LogRequest, RequestList } from './request-list.js';
import { RequestRow, rowId } from './request-row.js';
import { useNewest } from './use-newest.js';
import { type RowWindow, useRowWindow } from './use-row-window.js';

const columns = ['Time (UTC)', 'Client', 'Method', 'Path', 'Status', 'Size'] as const;
const HEAD_HEIGHT = 34;
/** Placeholders for rows that are not loaded yet, so that there is something to scroll to. */
const WAITING_ROWS = 40;

interface RequestGridProps {
  readonly filter: EventFilter;
  readonly onOpen: (request: LogRequest) => void;
  /** Called when there are no requests. */
  readonly onEmpty: () => void;
  /** Restarts the list at the newest request. */
  readonly onRenew: () => void;
}

/** Shows one filter: give another filter another `key`. */
export function RequestGrid({ filter, onOpen, onEmpty, onRenew }: RequestGridProps) {
  const [list] = useState(() => new RequestList(filter));
  const state = useStore(list.state);
  const isAway = useIsAway(); // the page shows that
  const isNarrow = useMedia(NARROW);
  const rowHeight = isNarrow ? 54 : 32;
  const scroller = useRef<HTMLTableElement>(null);
  const rows = state.complete ? state.count : state.count + WAITING_ROWS;
  const view = useRowWindow(scroller, rows, rowHeight, isNarrow ? 0 : HEAD_HEIGHT);
  const { first: firstSeen, last: lastSeen } = view.seen;
  const [active, setActive] = useState<number | null>(null);
  const newest = useNewest(filter);
  const isEmpty = state.complete && state.count === 0;

  useEffect(() => list.look(firstSeen, lastSeen), [list, firstSeen, lastSeen]);
  useEffect(() => () => list.close(), [list]);
  useRetry(list);
  useEffect(() => {
    if (isEmpty) onEmpty();
  }, [isEmpty, onEmpty]);

  const open = useCallback(
    (index: number) => {
      const request = list.row(index);
      if (!request) return;
      setActive(index);
      onOpen(request);
    },
    [list, onOpen],
  );
  const move = (event: KeyboardEvent) => {
    const lastRow = Math.max(0, state.count - 1);
    const from = active ?? firstSeen - 1;
    const page = Math.max(1, lastSeen - firstSeen - 1);
    const moves: Record<string, number> = {
      ArrowDown: from + 1,
      ArrowUp: from - 1,
      PageDown: from + page,
      PageUp: from - page,
      Home: 0,
      End: lastRow,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      const row = Math.max(0, Math.min(lastRow, to));
      setActive(row);
      view.show(row);
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== null) open(active);
    else return;
    event.preventDefault();
  };

  const isDrawn = active !== null && active >= view.first && active < view.end;
  return (
    <>
      <header className={styles.head}>
        <Place list={list} state={state} seen={view.seen} />
        {isNewer(newest, list.row(0)) && (
          <button type="button" className="button small" onClick={onRenew}>
            <Icon name="live" /> Show newer requests
          </button>
        )}
      </header>
      {state.failure && !isAway && (
        <div className={styles.failure}>
          <Failure again={() => list.again()}>{state.failure}</Failure>
        </div>
      )}
      <table
        ref={scroller}
        className={styles.grid}
        style={{ '--row': `${rowHeight}px`, '--head': `${HEAD_HEIGHT}px` } as CSSProperties}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through its rows, as in a grid
        role="grid"
        aria-label="Requests, newest first"
        aria-rowcount={state.complete ? state.count + 1 : -1}
        aria-activedescendant={isDrawn ? rowId(active) : undefined}
        tabIndex={0}
        onKeyDown={move}
      >
        <thead className={styles.headings}>
          <tr className={styles.row} aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <Rows list={list} state={state} view={view} active={active} onOpen={open} />
      </table>
    </>
  );
}

interface RowsProps {
  readonly list: RequestList;
  readonly state: ListState;
  readonly view: RowWindow;
  readonly active: number | null;
  readonly onOpen: (index: number) => void;
}

const Rows = ({ list, view: { first, end, top, height }, active, onOpen }: RowsProps) => (
  <tbody className={styles.body} style={{ paddingTop: top, height }}>
    {Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset).map((index) => (
      <RequestRow key={index} index={index} request={list.row(index)} active={index === active} onOpen={onOpen} />
    ))}
  </tbody>
);

/** The position in the list and in time. The total is shown once all rows have been read, and is never estimated. */
function Place({
  list,
  state: { count, complete },
  seen,
}: Pick<RowsProps, 'list' | 'state'> & Pick<RowWindow, 'seen'>) {
  const request = list.row(seen.first);
  if (count === 0) return <Skeleton width="26ch" />;
  const last = Math.min(count, seen.last + 1);
  return (
    <p className={styles.place}>
      <strong>
        {formatCount(Math.min(count, seen.first + 1))}–{formatCount(last)}
      </strong>{' '}
      of {formatCount(count)} {complete ? '' : 'read so far'}
      {request && <span className="note"> {formatMoment(Date.parse(request.time))}</span>}
    </p>
  );
}

/** Compares with `>=`: requests of the same moment may arrive in any order. */
function isNewer(newest: LogRequest | null, first: LogRequest | undefined): boolean {
  return newest !== null && first !== undefined && newest.id !== first.id && newest.time >= first.time;
}

/** Retries automatically when the server is back. */
function useRetry(list: RequestList): void {
  useEffect(
    () =>
      connectionStore.subscribe(() => {
        const { phase } = connectionStore.get();
        if (phase === 'live' || phase === 'catching-up') list.again();
      }),
    [list],
  );
}
