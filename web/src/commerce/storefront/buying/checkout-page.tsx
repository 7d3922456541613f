/** Payment for the cart. */
import { useCallback, useEffect, useState } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type { DeclineReason, PurseFragment, PurseOpenedSubscription } from '../../../../generated/graphql.js';
import { viewerStore } from '../../../api/session.js';
import type { EventOf } from '../../../api/subscription.js';
import { useLive } from '../../../api/use-live.js';
import { navigate } from '../../../kit/base/location.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Empty, Failure, Notice } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { hasRole } from '../../../shell/access.js';
import { allAddress, cartAddress, checkoutAddress, orderAddress } from '../parts/addresses.js';
import { type Cart, cartStore, hasExpired, linesOf } from '../parts/cart.js';
import { isFailed } from '../parts/commands.js';
import { useShopData } from '../parts/use-shop-data.js';
import { type Attempt, newAttempt, openAttempt, pay } from './checkout.js';
import styles from './checkout-page.module.css';
import { Door } from './door.js';
import { OpenPurse, PurseChoice } from './purse.js';

graphql(`
  fragment Purse on Account { id owner balance { amount currency } }
`);

const PursesDocument = graphql(`
  query ShopPurses {
    accounts(own: true, first: 20) { edges { node { ...Purse } } }
  }
`);

const PurseOpenedDocument = graphql(`
  subscription PurseOpened($after: String) {
    accountOpened(own: true, after: $after) { cursor accounts { id } }
  }
`);

const nothing = {};
/** Counts the accounts opened by the customer or for them: an increase triggers a refetch. */
const countPurses = (before: number | null, { accounts }: EventOf<PurseOpenedSubscription>): number =>
  (before ?? 0) + accounts.length;

export function CheckoutPage() {
  useTitle('Checkout');
  const viewer = useStore(viewerStore);
  const { id, cart } = useStore(cartStore);
  const attempt = openAttempt();
  return (
    <section className={styles.page} aria-labelledby="checkout-title">
      <h1 id="checkout-title">Checkout</h1>
      {viewer === undefined || (id !== null && cart === null) ? (
        <SkeletonRows rows={4} height="64px" />
      ) : viewer === null ? (
        <>
          <p className={styles.lead}>Sign in to pay. Your cart is kept.</p>
          <Door to={checkoutAddress} />
        </>
      ) : attempt === null && (cart === null || linesOf(cart).length === 0 || hasExpired(cart)) ? (
        <Nothing expired={hasExpired(cart)} />
      ) : (
        <Till cart={cart} />
      )}
    </section>
  );
}

const Nothing = ({ expired }: { expired: boolean }) =>
  expired ? (
    <Empty icon="cart" title="This cart has expired" action={<Link href={cartAddress}>Go to the cart</Link>}>
      You can restore its items from the cart.
    </Empty>
  ) : (
    <Empty icon="cart" title="There is nothing to pay for" action={<Link href={allAddress}>Browse products</Link>}>
      Your cart is empty.
    </Empty>
  );

/** The state of the payment. */
type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'paying' }
  | { readonly state: 'told'; readonly message: string; readonly toCart?: boolean }
  /** It is not known yet whether the payment succeeded. */
  | { readonly state: 'open' };

const declined: Record<DeclineReason, string> = {
  INSUFFICIENT_FUNDS: 'This account has insufficient funds. Nothing was charged, and your cart is unchanged.',
  ACCOUNT_UNKNOWN: 'This account cannot be used here. Nothing was charged. Choose another account.',
  CURRENCY_MISMATCH: 'This account uses another currency. Nothing was charged. Choose another account.',
  INTERRUPTED: 'The payment was interrupted, and nothing was charged. Please try again.',
  REFUSED: 'The payment was declined. Nothing was charged, and your cart is unchanged.',
};

function Till({ cart }: { cart: Cart | null }) {
  const { data, error, again } = useShopData(PursesDocument, nothing);
  const viewer = useStore(viewerStore);
  const known = useLive(PurseOpenedDocument, nothing, countPurses).state;
  useEffect(() => {
    if (known !== null) again();
  }, [known, again]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [progress, setProgress] = useState<Progress>({ state: 'idle' });
  const purses: readonly PurseFragment[] | null = data ? data.accounts.edges.map(({ node }) => node) : null;
  const purse = purses?.find(({ id }) => id === chosen) ?? purses?.[0] ?? null;

  const make = useCallback(
    async (attempt: Attempt) => {
      setProgress({ state: 'paying' });
      const answer = await pay(attempt);
      if (isFailed(answer)) {
        setProgress(answer.open ? { state: 'open' } : { state: 'told', message: answer.message });
        return;
      }
      if (answer.__typename === 'Order') {
        navigate(orderAddress(answer.id, true), { replace: true });
        return;
      }
      again(); // the balance may have changed
      setProgress(tell(answer));
    },
    [again],
  );

  // An attempt that a reload or a closed tab interrupted is completed first.
  useEffect(() => {
    const attempt = openAttempt();
    if (attempt) void make(attempt);
  }, [make]);

  if (error && !data) return <Failure again={again}>{error}</Failure>;
  const total = cart && linesOf(cart).length > 0 ? cart.total : null;
  const busy = progress.state === 'paying' || progress.state === 'open';
  return (
    <div className={styles.columns}>
      <div className={styles.pay}>
        <h2>Pay from</h2>
        {!purses && <SkeletonRows rows={2} height="56px" />}
        {purses?.length === 0 && (
          <OpenPurse
            currency={total?.currency ?? null}
            funded={viewer ? hasRole(viewer, 'ADMIN') : false}
            onOpened={again}
          />
        )}
        {purses && purses.length > 0 && (
          <PurseChoice purses={purses} chosen={purse?.id ?? null} total={total} disabled={busy} onChoose={setChosen} />
        )}
        <div aria-live="polite" className={styles.news}>
          {progress.state === 'told' && (
            <Notice tone="bad" action={progress.toCart && <Link href={cartAddress}>Go to the cart</Link>}>
              {progress.message}
            </Notice>
          )}
          {progress.state === 'open' && (
            <Notice
              tone="warn"
              action={
                <button type="button" className="button" onClick={() => void resume(make)}>
                  Retry
                </button>
              }
            >
              The shop has not responded, so we do not know yet whether your payment went through. A retry is safe: you
              are charged at most once.
            </Notice>
          )}
        </div>
        {total && (
          <button
            type="button"
            className="button primary large"
            disabled={busy || !purse || cart?.state !== 'ACTIVE'}
            onClick={() => cart && purse && void make(newAttempt(cart.id, purse.id))}
          >
            {progress.state === 'paying' ? 'Paying…' : `Pay ${formatMoney(total)}`}
          </button>
        )}
        {total && purse && viewer && (
          <p className="note">
            {formatMoney(total)} will be charged to the account of {viewer.name} ({viewer.email}).
          </p>
        )}
      </div>
      {cart && total && <Summary cart={cart} />}
    </div>
  );
}

async function resume(make: (attempt: Attempt) => Promise<void>): Promise<void> {
  const attempt = openAttempt();
  if (attempt) await make(attempt);
}

type Refused = Exclude<Extract<Awaited<ReturnType<typeof pay>>, { __typename: string }>, { __typename: 'Order' }>;

function tell(refusal: Refused): Progress {
  switch (refusal.__typename) {
    case 'PaymentDeclined':
      return { state: 'told', message: declined[refusal.reason] };
    case 'ProductNotFound':
      return {
        state: 'told',
        toCart: true,
        message: 'Something in your cart is no longer sold. Nothing was charged. Remove it to pay for the rest.',
      };
    case 'CartNotActive':
      if (refusal.state === 'COMPLETE')
        return {
          state: 'told',
          toCart: true,
          message: 'This cart has already been paid for, perhaps in another window.',
        };
      if (refusal.state === 'PENDING')
        return { state: 'told', message: 'This cart is in checkout, perhaps in another window.' };
      return {
        state: 'told',
        toCart: true,
        message:
          'Your cart expired before it was paid for. Nothing was charged. You can restore its items from the cart.',
      };
    case 'CartNotFound':
    case 'EmptyCart':
      return { state: 'told', toCart: true, message: 'There is nothing left to pay for. Nothing was charged.' };
  }
}

function Summary({ cart }: { cart: Cart }) {
  return (
    <aside className={`panel ${styles.summary}`} aria-label="Order summary">
      <ul>
        {cart.lines.map(({ sku, title, quantity, unitPrice }) => (
          <li key={sku}>
            <span>
              {quantity} × {title}
            </span>
            <span className={styles.amount}>{formatMoney({ ...unitPrice, amount: unitPrice.amount * quantity })}</span>
          </li>
        ))}
        <li className={styles.total}>
          <span>Total</span>
          <span className={styles.amount}>{formatMoney(cart.total)}</span>
        </li>
      </ul>
      <Link href={cartAddress}>Edit cart</Link>
    </aside>
  );
}
