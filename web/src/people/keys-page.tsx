/** The keys of programs: what they may do, and when they were last used. */
import { useState } from 'react';
import { Card } from '../parts/card.js';
import styles from '../parts/cells.module.css';
import { useClock } from '../parts/clock.js';
import { Confirmation } from '../parts/confirmation.js';
import { formatAgo, formatDate, formatMoment } from '../parts/format.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/notice.js';
import { usePolling } from '../parts/polling.js';
import { ACTIONS, Table } from '../parts/table.js';
import { Waiting } from '../parts/waiting.js';
import { CreateKeyModal } from './create-key-modal.js';
import { type ApiKey, revokeApiKey, useApiKeys } from './keys.js';
import { scopeWords } from './words.js';

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
        title="Keys in use"
        aside={
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            <Icon name="plus" /> Create a key
          </button>
        }
      >
        <Waiting data={keys} error={error} again={again} rows={4} height="44px" />
        {good?.length === 0 && (
          <Empty icon="key" title="No program has a key">
            Programs that record hits, import logs or read charts sign in by an API key. Each key can do what it was
            made for, and nothing else.
          </Empty>
        )}
        {good && good.length > 0 && <Keys label="Keys in use" keys={good} onRevoke={setRevoking} />}
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
          consequence="Programs that use it are refused from now on, on open sockets as well. This cannot be undone: they need a new key."
          no="Keep it"
          yes="Revoke the key"
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
  /** Null: they are revoked. */
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
            <span key={scope} className="badge" title={scopeWords[scope].meaning}>
              {scopeWords[scope].name}
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

/** @param label said where there is no heading of a column */
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

/** The server notes a use to the minute. */
function Ago({ at }: { at: number }) {
  const ago = useClock(1000, (now) => (now - at < MINUTE_MS ? 'in the last minute' : formatAgo(at, now)));
  return (
    <span className={styles.moment} title={`${formatMoment(at)} UTC`}>
      <span className={styles.narrow}>used </span>
      {ago}
    </span>
  );
}
