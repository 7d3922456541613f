/** The money accounts that a customer can pay from. */
import { useState } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type { Money, PurseChangedSubscription, PurseFragment } from '../../../../generated/graphql.js';
import { viewerStore } from '../../../api/session.js';
import type { EventOf } from '../../../api/subscription.js';
import { useLive } from '../../../api/use-live.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { Confirmation } from '../../../kit/controls/confirmation.js';
import { Notice } from '../../../kit/display/notice.js';
import { commandOnce, isFailed } from '../parts/commands.js';
import styles from './purse.module.css';

const OpenAccountDocument = graphql(`
  mutation OpenPurse($input: OpenAccountInput!, $key: String!) {
    openAccount(input: $input, idempotencyKey: $key) { ...Purse }
  }
`);

const PurseChangedDocument = graphql(`
  subscription PurseChanged($id: ID!, $after: String) {
    accountChanged(id: $id, after: $after) { cursor account { ...Purse } }
  }
`);

/** The opening balance for administrators who try the shop, in minor units. */
const TRIAL_AMOUNT = 100_000;

interface OpenPurseProps {
  /** The shop's currency. Null while unknown. */
  readonly currency: string | null;
  /** Whether it may be opened with a balance. */
  readonly funded: boolean;
  readonly onOpened: () => void;
}

export function OpenPurse({ currency, funded, onOpened }: OpenPurseProps) {
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const viewer = useStore(viewerStore);
  const openingBalance = funded && currency !== null ? { amount: TRIAL_AMOUNT, currency } : null;
  const open = async () => {
    const input = openingBalance ? { openingBalance } : {};
    const outcome = await commandOnce(OpenAccountDocument, { input });
    onOpened();
    return isFailed(outcome) ? outcome.message : null;
  };
  const openEmpty = async () => {
    setBusy(true);
    setFailure(await open());
    setBusy(false);
  };
  const sum = openingBalance && formatMoney(openingBalance);
  return (
    <div className={styles.open}>
      <p>
        You have no account with this shop yet.{' '}
        {sum ? 'Open one with a balance to try the shop.' : 'Open one, and the staff can then add money to it.'}
      </p>
      {failure && <Notice tone="bad">{failure}</Notice>}
      <button
        type="button"
        className="button"
        disabled={busy}
        onClick={() => (sum ? setAsked(true) : void openEmpty())}
      >
        {sum ? `Open an account with ${sum}…` : 'Open an account'}
      </button>
      {asked && sum && viewer && (
        <Confirmation
          title={`Open an account with ${sum}?`}
          consequence={`It belongs to ${viewer.name} (${viewer.email}), and its ${sum} are created to try out the shop.`}
          no="Cancel"
          yes={`Open it with ${sum}`}
          harmless
          act={open}
          onClose={() => setAsked(false)}
        />
      )}
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
      {purses.map((purse, index) => (
        <label key={purse.id} className={styles.purse}>
          <input type="radio" name="purse" checked={purse.id === chosen} onChange={() => onChoose(purse.id)} />
          <span>{purses.length === 1 ? 'Your account with this shop' : `Account ${index + 1}`}</span>
          <Balance purse={purse} total={total} />
        </label>
      ))}
    </fieldset>
  );
}

const takePurse = (_before: PurseFragment | null, { account }: EventOf<PurseChangedSubscription>): PurseFragment =>
  account;

/** The live balance: someone may add money while the customer waits. */
function Balance({ purse, total }: { purse: PurseFragment } & Pick<PurseChoiceProps, 'total'>) {
  const { balance } = useLive(PurseChangedDocument, { id: purse.id }, takePurse).state ?? purse;
  return (
    <span className={styles.balance}>
      {formatMoney(balance)}
      {total && balance.amount < total.amount && (
        <span className={styles.short}>{formatMoney({ ...total, amount: total.amount - balance.amount })} short</span>
      )}
    </span>
  );
}
