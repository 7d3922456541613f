/** Paying for the cart. */
import { useCallback, useEffect, useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { DeclineReason, PurseFragment, PurseOpenedSubscription } from '../../generated/graphql.js';
import { hasRole } from '../access.js';
import type { EventOf } from '../live/subscription.js';
import { useLive } from '../live/use-live.js';
import { navigate } from '../location.js';
import { Link } from '../parts/link.js';
import { formatMoney } from '../parts/money.js';
import { Empty, Failure, Notice } from '../parts/notice.js';
import { SkeletonRows } from '../parts/skeleton.js';
import { useStore } from '../parts/store.js';
import { useTitle } from '../parts/title.js';
import { viewerStore } from '../session.js';
import { allAddress, cartAddress, checkoutAddress, orderAddress } from './addresses.js';
import { type Cart, cartStore, hasExpired, linesOf } from './cart.js';
import { type Attempt, newAttempt, openAttempt, pay } from './checkout.js';
import styles from './checkout-page.module.css';
import { isFailed } from './commands.js';
import { Door } from './door.js';
import { OpenPurse, PurseChoice } from './purse.js';
import { useShopData } from './use-shop-data.js';

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
/** How many are known to be there: it rises when one is opened, by whomever. */
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
          <p className={styles.lead}>Who pays for it? Your cart stays as it is meanwhile.</p>
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
      What was in it went back on the shelves. From the cart you can put all of it back.
    </Empty>
  ) : (
    <Empty icon="cart" title="There is nothing to pay for" action={<Link href={allAddress}>See what there is</Link>}>
      Your cart is empty.
    </Empty>
  );

/** How far it has got. */
type Progress =
  | { readonly state: 'idle' }
  | { readonly state: 'paying' }
  | { readonly state: 'told'; readonly message: string; readonly toCart?: boolean }
  /** Whether it was paid is not known yet. */
  | { readonly state: 'open' };

const declined: Record<DeclineReason, string> = {
  INSUFFICIENT_FUNDS: 'There is not enough in this account. Nothing was charged, and your cart is as it was.',
  ACCOUNT_UNKNOWN: 'This account cannot be used here. Nothing was charged: choose another one.',
  CURRENCY_MISMATCH: 'This account is in another currency. Nothing was charged: choose another one.',
  INTERRUPTED: 'The payment was interrupted, and nothing was charged. Pay once more.',
  REFUSED: 'The payment was refused. Nothing was charged, and your cart is as it was.',
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
      again(); // the balance may be another one than is shown
      setProgress(tell(answer));
    },
    [again],
  );

  // What a reload or a closed tab has interrupted is brought to its end first.
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
                  Ask again
                </button>
              }
            >
              The shop has not answered, so it is not known yet whether you have paid. Asking again charges you once at
              most.
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
            {formatMoney(total)} is taken from the account of {viewer.name} ({viewer.email}).
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
        message: 'Something in your cart is no longer sold. Nothing was charged: take it out, and pay for the rest.',
      };
    case 'CartNotActive':
      if (refusal.state === 'COMPLETE')
        return {
          state: 'told',
          toCart: true,
          message: 'This cart has been paid for already, perhaps in another window.',
        };
      if (refusal.state === 'PENDING')
        return { state: 'told', message: 'This cart is just being paid for, perhaps in another window.' };
      return {
        state: 'told',
        toCart: true,
        message:
          'Your cart expired before it was paid for. Nothing was charged; from the cart you can put all of it back.',
      };
    case 'CartNotFound':
    case 'EmptyCart':
      return { state: 'told', toCart: true, message: 'There is nothing to pay for any more. Nothing was charged.' };
  }
}

function Summary({ cart }: { cart: Cart }) {
  return (
    <aside className={`panel ${styles.summary}`} aria-label="What you pay for">
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
      <Link href={cartAddress}>Change the cart</Link>
    </aside>
  );
}
