/** The accounts that a customer can pay from. */
import { useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { Money, PurseFragment } from '../../generated/graphql.js';
import { formatMoney } from '../parts/money.js';
import { Notice } from '../parts/notice.js';
import { command, isFailed, once } from './commands.js';
import styles from './purse.module.css';

const OpenAccountDocument = graphql(`
  mutation OpenPurse($input: OpenAccountInput!, $key: String!) {
    openAccount(input: $input, idempotencyKey: $key) { ...Purse }
  }
`);

/** What administrators begin with, to try the shop: minor units. */
const TRIAL_AMOUNT = 100_000;

interface OpenPurseProps {
  /** The shop's. Null when it is not known. */
  readonly currency: string | null;
  /** Whether it may be opened with a balance. */
  readonly funded: boolean;
  readonly onOpened: () => void;
}

export function OpenPurse({ currency, funded, onOpened }: OpenPurseProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const openingBalance = funded && currency !== null ? { amount: TRIAL_AMOUNT, currency } : null;
  const open = async () => {
    setBusy(true);
    const input = openingBalance ? { openingBalance } : {};
    const outcome = await once(['openAccount', input], (key) => command(OpenAccountDocument, { input, key }));
    setBusy(false);
    setFailure(isFailed(outcome) ? outcome.message : null);
    onOpened();
  };
  return (
    <div className={styles.open}>
      <p>
        You have no account with this shop yet. It takes a moment to open one
        {openingBalance
          ? ', with money of its own to try the shop.'
          : '; the people of the shop then put money into it.'}
      </p>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <button type="button" className="button" disabled={busy} onClick={() => void open()}>
        {openingBalance ? `Open an account with ${formatMoney(openingBalance)}` : 'Open an account'}
      </button>
    </div>
  );
}

interface PurseChoiceProps {
  readonly purses: readonly PurseFragment[];
  readonly chosen: string | null;
  readonly total: Pick<Money, 'amount' | 'currency'> | null;
  readonly disabled: boolean;
  readonly onChoose: (id: string) => void;
}

export function PurseChoice({ purses, chosen, total, disabled, onChoose }: PurseChoiceProps) {
  return (
    <fieldset className={styles.purses} disabled={disabled}>
      <legend className="hidden">The account to pay from</legend>
      {purses.map(({ id, balance }, index) => (
        <label key={id} className={styles.purse}>
          <input type="radio" name="purse" checked={id === chosen} onChange={() => onChoose(id)} />
          <span>{purses.length === 1 ? 'Your account with this shop' : `Account ${index + 1}`}</span>
          <span className={styles.balance}>
            {formatMoney(balance)}
            {total && balance.amount < total.amount && (
              <span className={styles.short}>
                {formatMoney({ ...total, amount: total.amount - balance.amount })} short
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
