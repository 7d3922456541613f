/** A request as a row of the grid. */
import { memo } from 'react';
import { formatBytes, formatMoment } from '../../kit/base/format.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import styles from './request-grid.module.css';
import type { LogRequest } from './request-list.js';

/** By the first digit of the status. */
export const statusTones = ['', '', 'good', 'plain', 'warn', 'bad'] as const;

export const toneOf = (status: number) => statusTones[Math.floor(status / 100)] ?? 'plain';

export const rowId = (index: number) => `request-${index}`;

interface RequestRowProps {
  readonly index: number;
  /** Undefined while it is loading. */
  readonly request: LogRequest | undefined;
  readonly active: boolean;
  readonly onOpen: (index: number) => void;
}

export const RequestRow = memo(({ index, request, active, onOpen }: RequestRowProps) => (
  <tr
    id={rowId(index)}
    className={styles.row}
    aria-rowindex={index + 2} // row 1 is the header
    aria-selected={active}
    aria-busy={request === undefined}
    onClick={() => onOpen(index)}
  >
    {request ? <Cells request={request} /> : <Waiting index={index} />}
  </tr>
));

function Cells({ request: { time, host, method, path, status, bytes } }: { request: LogRequest }) {
  return (
    <>
      <td className={styles.time}>{formatMoment(Date.parse(time))}</td>
      <td className={styles.host}>{host}</td>
      <td className={styles.method}>{method ?? '–'}</td>
      <td className={styles.path}>{path ?? '–'}</td>
      <td className={styles.status} data-tone={toneOf(status)}>
        {status}
      </td>
      <td className={styles.bytes}>{typeof bytes === 'number' ? formatBytes(bytes) : '–'}</td>
    </>
  );
}

const Waiting = ({ index }: { index: number }) => (
  <td className={styles.waiting} aria-label="Loading">
    <Skeleton height="12px" width={`${92 - ((index * 37) % 45)}%`} />
  </td>
);
