/** The account that pays for a campaign. Without one, it offers to open one. */
import { useState } from 'react';
import { nameOf, openAccount, useAccounts } from '../../commerce/back-office/data/accounts.js';
import { shortId } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { Failure, Notice } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';

interface AccountFieldProps {
  readonly id: string;
  readonly onChoose: (id: string) => void;
}

/** The owner of the store's account, which is the one that is paid. */
export const STORE = 'The store';

export function AccountField({ id, onChoose }: AccountFieldProps) {
  const { accounts, error, again } = useAccounts();
  const payers = accounts?.filter(({ owner }) => owner !== STORE) ?? null;
  if (error && !payers) return <Failure again={again}>{error}</Failure>;
  if (!payers) return <Skeleton height="36px" />;
  if (payers.length === 0) return <NoAccount onOpened={onChoose} />;
  return (
    <div className="field">
      <label htmlFor="campaign-account">Pay from</label>
      <select
        className="input"
        id="campaign-account"
        value={id}
        onChange={({ target }) => onChoose(target.value)}
        required
      >
        <option value="">Choose an account</option>
        {payers.map((account) => (
          <option key={account.id} value={account.id}>
            {nameOf(account)} {shortId(account.id)} · {formatMoney(account.balance)}
          </option>
        ))}
      </select>
    </div>
  );
}

function NoAccount({ onOpened }: { readonly onOpened: (id: string) => void }) {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const open = async () => {
    setBusy(true);
    const opened = await openAccount({});
    setBusy(false);
    setRefusal(typeof opened === 'string' ? opened : null);
    if (typeof opened !== 'string') onOpened(opened.id);
  };
  return (
    <div className="field">
      <span className="label">Pay from</span>
      <Notice
        tone="plain"
        icon="user"
        action={
          <button type="button" className="button" disabled={busy} onClick={() => void open()}>
            Open an account
          </button>
        }
      >
        You have no account yet. A new one is empty: before the campaign can start, somebody must transfer money to it.
      </Notice>
      {refusal !== null && <Notice tone="bad">{refusal}</Notice>}
    </div>
  );
}
