/** Payment of the cart at the till, and the receipt. */
import { useState } from 'react';
import { viewerStore } from '../../../api/session.js';
import { formatMoment, shortId } from '../../../kit/base/format.js';
import { navigate } from '../../../kit/base/location.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { Confirmation } from '../../../kit/controls/confirmation.js';
import { Card } from '../../../kit/display/card.js';
import { Failure, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { nameOf, openAccount, useAccount, useAccounts } from '../data/accounts.js';
import { type Cart, type PaidOrder, pay, unitsIn } from '../data/carts.js';
import { LinesTable } from '../parts/lines-table.js';
import styles from './till-page.module.css';

/** The opening balance of a trial account, in minor units. */
const ENDOWMENT = 50_000;

interface TillPaymentProps {
  /** Null: there is nothing to pay. */
  readonly cart: Cart | null;
  /** Whether the viewer may open accounts with an opening balance. */
  readonly mayEndow: boolean;
  readonly onPaid: (order: PaidOrder) => void;
  readonly onRefused: (message: string | null) => void;
}

export function TillPayment({ cart, mayEndow, onPaid, onRefused }: TillPaymentProps) {
  const { accounts, currency, error, again } = useAccounts();
  const own = useStore(viewerStore)?.id;
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  // The store does not pay itself.
  const payers = accounts?.filter(({ owner }) => owner !== STORE) ?? null;
  const id = chosen ?? payers?.find(({ owner }) => owner === own)?.id ?? payers?.[0]?.id ?? null;
  const account = useAccount(id) ?? payers?.find((each) => each.id === id);

  const [asked, setAsked] = useState<'pay' | 'open' | null>(null);
  const ask = (question: typeof asked) => {
    onRefused(null);
    setAsked(question);
  };
  const doIt = async (work: () => Promise<string | null>) => {
    setBusy(true);
    onRefused(await work());
    setBusy(false);
  };
  const checkOut = async () => {
    if (!cart || id === null) return null;
    const paid = await pay(cart.id, id);
    if (typeof paid === 'string') return paid;
    onPaid(paid);
    return null;
  };
  const endowed = formatMoney({ amount: ENDOWMENT, currency: currency || 'EUR' });
  const open = async () => {
    const opened = await openAccount(mayEndow ? { openingBalance: { amount: ENDOWMENT, currency } } : {});
    if (typeof opened === 'string') return opened;
    setChosen(opened.id);
    return null;
  };
  const total = cart && cart.lines.length > 0 ? formatMoney(cart.total) : '';
  const payer = account ? nameOf(account) : '';

  return (
    <Card
      title="Payment"
      aside={<span className="note">between accounts of this store, no real money</span>}
      bodyClass={styles.payment}
    >
      {error && !payers && <Failure again={again}>{error}</Failure>}
      {!payers && !error && <SkeletonRows rows={2} height="36px" />}
      {payers && (
        <div className="field">
          <label htmlFor="payer">Pay from</label>
          <select
            className="input"
            id="payer"
            value={id ?? ''}
            disabled={payers.length === 0}
            onChange={(event) => setChosen(event.target.value)}
          >
            {payers.length === 0 && <option value="">No account yet</option>}
            {payers.map((payer) => (
              <option key={payer.id} value={payer.id}>
                {nameOf(payer)} {shortId(payer.id)}
              </option>
            ))}
          </select>
          {account && <span className="note">Balance: {formatMoney(account.balance)}</span>}
        </div>
      )}
      <div className={styles.choice}>
        {payers && (
          <button
            type="button"
            className="button"
            disabled={busy}
            onClick={() => (mayEndow ? ask('open') : void doIt(open))}
          >
            {mayEndow ? `Open an account with ${endowed}…` : 'Open an account'}
          </button>
        )}
        <button
          type="button"
          className="button primary"
          disabled={busy || id === null || !cart || cart.lines.length === 0}
          onClick={() => ask('pay')}
        >
          {busy ? 'Processing…' : `Pay ${total}…`}
        </button>
      </div>
      {asked === 'pay' && cart && (
        <Confirmation
          title={`Charge ${payer} ${total}?`}
          consequence={`${countOf(unitsIn(cart.lines))} sold, and ${total} is charged to the account of ${payer}. The order can be refunded.`}
          no="Cancel"
          yes={`Charge ${total}`}
          harmless
          act={checkOut}
          onClose={() => ask(null)}
        />
      )}
      {asked === 'open' && (
        <Confirmation
          title={`Open an account with ${endowed}?`}
          consequence={`It belongs to you, and its money is created to try out the store.`}
          no="Cancel"
          yes={`Open it with ${endowed}`}
          harmless
          act={open}
          onClose={() => ask(null)}
        />
      )}
    </Card>
  );
}

const countOf = (units: number): string => (units === 1 ? 'One unit is' : `${units} units are`);

/** The name of the account that receives customers' payments. */
const STORE = 'The store';

export function Receipt({ order, onNext }: { order: PaidOrder; onNext: () => void }) {
  return (
    <section className={`card ${styles.receipt}`} aria-labelledby="receipt">
      <header>
        <h2 id="receipt">Order {shortId(order.id)}</h2>
        <span className="note">{formatMoment(Date.parse(order.placedAt))} UTC</span>
      </header>
      <div className="body">
        <Notice tone="good" icon="check">
          Paid: {formatMoney(order.total)}.
        </Notice>
        <LinesTable label="Lines of the order" lines={order.lines} />
        <div className={styles.choice}>
          <button type="button" className="button" onClick={() => navigate('/commerce/orders')}>
            See all orders
          </button>
          <button type="button" className="button primary" onClick={onNext}>
            Next customer
          </button>
        </div>
      </div>
    </section>
  );
}
