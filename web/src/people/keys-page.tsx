/** API keys: their scopes, and when they were last used. */
import { useState } from 'react';
import { usePolling } from '../api/polling.js';
import { useClock } from '../kit/base/clock.js';
import { formatAgo, formatDate, formatMoment } from '../kit/base/format.js';
import { Confirmation } from '../kit/controls/confirmation.js';
import { Card } from '../kit/display/card.js';
import { Icon } from '../kit/display/icon.js';
import { Empty } from '../kit/display/notice.js';
import styles from '../kit/lists/cells.module.css';
import { ACTIONS, Table } from '../kit/lists/table.js';
import { Waiting } from '../kit/lists/waiting.js';
import { nameOfScope } from '../shell/domain-words.js';
import { meaningOfScope } from './all-words.js';
import { CreateKeyModal } from './create-key-modal.js';
import { type ApiKey, revokeApiKey, useApiKeys } from './keys.js';

const POLL_MS = 10_000;

export function KeysPage() {
  const { data, error, again } = useApiKeys();
  usePolling(again, POLL_MS);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const keys = data?.apiKeys;
  const good = keys?.filter(({ revokedAt }) => !revokedAt);
  const revoked = keys?.filter(({ revokedAt }) => revokedAt);
  return (
    <>
      <Card
        title="Active keys"
        aside={
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            <Icon name="plus" /> Create API key
          </button>
        }
      >
        <Waiting data={keys} error={error} again={again} rows={4} height="44px" />
        {good?.length === 0 && (
          <Empty icon="key" title="No API keys yet">
            Programs that record hits, import logs or read charts authenticate with an API key. Each key can do only
            what its scopes allow.
          </Empty>
        )}
        {good && good.length > 0 && <Keys label="Active keys" keys={good} onRevoke={setRevoking} />}
      </Card>
      {revoked && revoked.length > 0 && (
        <Card title="Revoked keys" bodyClass={styles.spent}>
          <Keys label="Revoked keys" keys={revoked} onRevoke={null} />
        </Card>
      )}
      {creating && <CreateKeyModal onClose={() => setCreating(false)} />}
      {revoking && (
        <Confirmation
          title={`Revoke the key “${revoking.name}”?`}
          consequence="Programs that use it are rejected immediately, even on open sockets. This cannot be undone: they need a new key."
          no="Cancel"
          yes="Revoke key"
          act={() => revokeApiKey(revoking.id)}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}

interface KeysProps {
  readonly label: string;
  readonly keys: readonly ApiKey[];
  /** Null: the keys are revoked. */
  readonly onRevoke: ((key: ApiKey) => void) | null;
}

function Keys({ label, keys, onRevoke }: KeysProps) {
  return (
    <Table label={label} columns={['Key', 'Scopes', 'Created', 'Last used', onRevoke ? ACTIONS : 'Revoked']}>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRevoke={onRevoke} />
        ))}
      </tbody>
    </Table>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: KeysProps['onRevoke'] }) {
  const { name, prefix, scopes, createdAt, lastUsedAt, revokedAt } = apiKey;
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>{name}</span>
        <code className={styles.second}>{prefix}…</code>
      </th>
      <td>
        <span className="badges">
          {scopes.map((scope) => (
            <span key={scope} className="badge" title={meaningOfScope(scope)}>
              {nameOfScope(scope)}
            </span>
          ))}
        </span>
      </td>
      <td>
        <Day label="created" at={createdAt} />
      </td>
      <td>{lastUsedAt ? <Ago at={Date.parse(lastUsedAt)} /> : <span className="note">never used</span>}</td>
      <td>
        {onRevoke ? (
          <div className={styles.actions}>
            <button
              type="button"
              className="button small"
              aria-label={`Revoke ${name}`}
              onClick={() => onRevoke(apiKey)}
            >
              Revoke
            </button>
          </div>
        ) : (
          revokedAt && <Day label="revoked" at={revokedAt} />
        )}
      </td>
    </tr>
  );
}

/** @param label shown where the table has no column headings */
function Day({ label, at }: { label: string; at: string }) {
  const moment = Date.parse(at);
  return (
    <span className={styles.moment} title={`${formatMoment(moment)} UTC`}>
      <span className={styles.narrow}>{label} </span>
      {formatDate(moment)}
    </span>
  );
}

const MINUTE_MS = 60_000;

/** The server records the last use to the minute. */
function Ago({ at }: { at: number }) {
  const ago = useClock(1000, (now) => (now - at < MINUTE_MS ? 'in the last minute' : formatAgo(at, now)));
  return (
    <span className={styles.moment} title={`${formatMoment(at)} UTC`}>
      <span className={styles.narrow}>used </span>
      {ago}
    </span>
  );
}
