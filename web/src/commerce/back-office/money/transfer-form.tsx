/** Transfers money from one account to another. */

import { useState } from 'react';
import { shortId } from '../../../kit/base/format.js';
import { formatMoney, parseAmount } from '../../../kit/base/money.js';
import { Confirmation } from '../../../kit/controls/confirmation.js';
import { TextField } from '../../../kit/controls/text-field.js';
import { textOf, useForm } from '../../../kit/controls/use-form.js';
import { Card } from '../../../kit/display/card.js';
import { Failure, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { type Account, nameOf, type Transfer, transfer, transferStates, useAccounts } from '../data/accounts.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './accounts-page.module.css';
import { transferTones } from './transfers-card.js';

/** The transfer to confirm. */
interface Wanted {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

export function TransferForm() {
  const { accounts, currency, error, again } = useAccounts();
  const [done, setDone] = useState<Transfer | null>(null);
  const [asking, setAsking] = useState<Wanted | null>(null);
  const { busy, refusal, submit } = useForm(async (fields) => {
    setDone(null);
    const amount = parseAmount(textOf(fields, 'amount'), currency);
    if (amount === null) return `Enter a valid amount in ${currency}`;
    setAsking({ from: textOf(fields, 'from'), to: textOf(fields, 'to'), amount });
    return null;
  });
  const move = async ({ from, to, amount }: Wanted) => {
    const moved = await transfer(from, to, amount, currency);
    if (typeof moved === 'string') return moved;
    setDone(moved);
    return null;
  };
  return (
    <Card title="Transfer">
      {asking && (
        <AskTransfer
          wanted={asking}
          currency={currency}
          accounts={accounts ?? []}
          act={() => move(asking)}
          onClose={() => setAsking(null)}
        />
      )}
      {error && !accounts && <Failure again={again}>{error}</Failure>}
      {!accounts && !error && <SkeletonRows rows={4} height="36px" />}
      {accounts && (
        <form className={styles.form} onSubmit={submit}>
          <AccountField label="From" name="from" accounts={accounts} />
          <AccountField label="To" name="to" accounts={accounts} others preset={accounts[1]?.id} />
          <TextField
            label={`Amount in ${currency}`}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            required
          />
          {refusal && <Notice tone="bad">{refusal}</Notice>}
          {done && (
            <Notice tone="good" icon="check">
              {formatMoney(done.amount)}{' '}
              <StateBadge words={transferStates[done.state]} tone={transferTones[done.state]} />
            </Notice>
          )}
          <button type="submit" className="button primary" disabled={busy || accounts.length === 0}>
            Transfer…
          </button>
        </form>
      )}
    </Card>
  );
}

interface AskTransferProps {
  readonly wanted: Wanted;
  readonly currency: string;
  readonly accounts: readonly Account[];
  readonly act: () => Promise<string | null>;
  readonly onClose: () => void;
}

function AskTransfer({ wanted: { from, to, amount }, currency, accounts, act, onClose }: AskTransferProps) {
  const nameById = (id: string) => {
    const account = accounts.find((each) => each.id === id);
    return account ? `${nameOf(account)} ${shortId(id)}` : `the account ${shortId(id)}`;
  };
  const sum = formatMoney({ amount, currency });
  return (
    <Confirmation
      title={`Transfer ${sum}?`}
      consequence={`${sum} moves from ${nameById(from)} to ${nameById(to)}. It can be reversed once if the recipient still has the money.`}
      no="Cancel"
      yes={`Transfer ${sum}`}
      harmless
      act={act}
      onClose={onClose}
    />
  );
}

interface AccountFieldProps {
  readonly label: string;
  readonly name: string;
  readonly accounts: readonly Account[];
  /** Accepts an account that is not in the list, by its id. */
  readonly others?: boolean;
  /** The initial choice. Omitted: the first account. */
  readonly preset?: string | undefined;
}

function AccountField({ label, name, accounts, others = false, preset }: AccountFieldProps) {
  // Users with only one account enter the id of someone else's account.
  if (others && accounts.length < 2) return <TextField label={label} name={name} hint="Account id" required />;
  return (
    <div className="field">
      <label htmlFor={`transfer-${name}`}>{label}</label>
      <select className="input" id={`transfer-${name}`} name={name} defaultValue={preset} required>
        {accounts.map((account) => (
          <option key={account.id} value={account.id}>
            {nameOf(account)} {shortId(account.id)} · {formatMoney(account.balance)}
          </option>
        ))}
      </select>
    </div>
  );
}
