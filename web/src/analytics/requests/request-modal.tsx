/** All logged fields of a request, with links to similar ones. */
import { formatBytes, formatCount, formatMoment } from '../../kit/base/format.js';
import { Modal } from '../../kit/controls/modal.js';
import type { LogRequest } from './request-list.js';
import styles from './request-modal.module.css';
import type { Field } from './view.js';

interface RequestModalProps {
  readonly request: LogRequest;
  readonly onNarrow: (by: Field, value: string) => void;
  readonly onClose: () => void;
}

export function RequestModal({ request, onNarrow, onClose }: RequestModalProps) {
  const { time, host, logname, user, method, path, protocol, status, bytes, referrer, userAgent } = request;
  const size = typeof bytes === 'number' ? `${formatBytes(bytes)} (${formatCount(bytes)} bytes)` : null;
  const facts = [
    ['Time', `${formatMoment(Date.parse(time))} UTC`],
    ['Request', [method, path, protocol].filter(Boolean).join(' ') || null],
    ['Response', `status ${status}${size ? `, ${size}` : ''}`],
    ['Client', host],
    ['User', user],
    ['Remote log name', logname],
    ['Referrer', referrer],
    ['User agent', userAgent],
  ] as const;
  return (
    <Modal title="Request" open wide onOpenChange={onClose}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-missing={!value}>{value || 'not logged'}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.ways}>
        <span className="note">Show only requests</span>
        {path && <Way onClick={() => onNarrow('path', path)}>to this path</Way>}
        <Way onClick={() => onNarrow('host', host)}>from this client</Way>
        <Way onClick={() => onNarrow('status', String(status))}>with this status</Way>
      </div>
    </Modal>
  );
}

const Way = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" className="button small" onClick={onClick}>
    {children}
  </button>
);
