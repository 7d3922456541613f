/** The list of orders, each order, and the confirmation page after checkout. */
import { graphql } from '../../../../generated/gql.js';
import type { ShopOrderQuery } from '../../../../generated/graphql.js';
import { signOut, type Viewer, viewerStore } from '../../../api/session.js';
import { formatMoment } from '../../../kit/base/format.js';
import { useLocation } from '../../../kit/base/location.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { useTitle } from '../../../kit/base/title.js';
import { Link } from '../../../kit/controls/link.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Failure } from '../../../kit/display/notice.js';
import { SkeletonRows } from '../../../kit/display/skeleton.js';
import { allAddress, orderAddress, ordersAddress, productAddress } from '../parts/addresses.js';
import { Cover } from '../parts/cover.js';
import { useShopData } from '../parts/use-shop-data.js';
import { Door } from './door.js';
import styles from './orders-page.module.css';

const OrderDocument = graphql(`
  query ShopOrder($id: ID!) {
    order(id: $id) {
      id
      placedAt
      total { amount currency }
      lines { sku title quantity unitPrice { amount currency } product { id type image { id url(width: 320) } } }
      buyer { id name }
      payer { id name }
      enteredBy { id name }
      refunds { amount { amount currency } at }
    }
  }
`);

const OrdersDocument = graphql(`
  query ShopOrders {
    orders(own: true, first: 50) {
      edges { node { id placedAt total { amount currency } lines { sku title quantity } } }
    }
  }
`);

const nothing = {};

/** @param id null for the list */
export function OrdersPage({ id }: { id: string | null }) {
  const viewer = useStore(viewerStore);
  useTitle('Your orders');
  if (viewer === undefined) return <SkeletonRows rows={4} height="64px" />;
  if (viewer === null) {
    return (
      <section className={styles.page} aria-labelledby="door-title">
        <h1 id="door-title">Your orders</h1>
        <p>Sign in to see your orders.</p>
        <Door to={id === null ? ordersAddress : orderAddress(id)} />
      </section>
    );
  }
  return id === null ? <OrderList viewer={viewer} /> : <OrderSheet id={id} />;
}

function OrderList({ viewer }: { viewer: Viewer }) {
  const { data, error, again } = useShopData(OrdersDocument, nothing);
  return (
    <section className={styles.page} aria-labelledby="orders-title">
      <h1 id="orders-title">Your orders</h1>
      <p className={styles.who}>
        Signed in as {viewer.name} ({viewer.email}).{' '}
        <button type="button" className="link" onClick={() => void signOut()}>
          Sign out
        </button>
      </p>
      {error && <Failure again={again}>{error}</Failure>}
      {!data && !error && <SkeletonRows rows={4} height="64px" />}
      {data?.orders.edges.length === 0 && (
        <Empty icon="cart" title="You have no orders yet" action={<Link href={allAddress}>Browse products</Link>} />
      )}
      <ul className={styles.orders}>
        {data?.orders.edges.map(({ node: { id, placedAt, total, lines } }) => (
          <li key={id}>
            <Link href={orderAddress(id)}>{formatMoment(Date.parse(placedAt))} UTC</Link>
            <span className={styles.titles}>{lines.map(({ title }) => title).join(', ') || 'Refunded in full'}</span>
            {lines.length > 0 && <strong>{formatMoney(total)}</strong>}
          </li>
        ))}
      </ul>
    </section>
  );
}

type SheetOrder = NonNullable<ShopOrderQuery['order']>;

/** The buyer, the payer and the user who entered the order, except for the viewer. */
function Others({ order: { buyer, payer, enteredBy } }: { order: SheetOrder }) {
  const me = useStore(viewerStore)?.id;
  const named = (party: SheetOrder['buyer'] | undefined, did: string) =>
    party && party.id !== me ? [`${did} by ${party.name || 'a deleted user'}`] : [];
  const others = [...named(buyer, 'bought'), ...named(payer, 'paid for'), ...named(enteredBy, 'entered')];
  return others.length === 0 ? null : <p>It was {others.join(', ')}.</p>;
}

function OrderSheet({ id }: { id: string }) {
  const placed = useLocation().query.has('placed');
  const { data, error, again } = useShopData(OrderDocument, { id });
  const order = data?.order;
  if (error && !data) return <Failure again={again}>{error}</Failure>;
  if (!data) return <SkeletonRows rows={5} height="64px" />;
  if (!order) {
    return (
      <>
        <h1 className="hidden">Order not found</h1>
        <Empty icon="search" title="This order does not exist" action={<Link href={ordersAddress}>Your orders</Link>}>
          It may belong to someone else, or its record was deleted.
        </Empty>
      </>
    );
  }
  return (
    <section className={styles.sheet} aria-labelledby="order-title">
      <header className={styles.header}>
        {placed && (
          <span className={styles.seal}>
            <Icon name="check" size={28} />
          </span>
        )}
        <h1 id="order-title">{placed ? 'Thank you for your order' : 'Your order'}</h1>
        <p>
          Paid on {formatMoment(Date.parse(order.placedAt))} UTC
          {placed && '. You can find it under your orders at any time.'}
        </p>
        <Others order={order} />
        {order.refunds.map(({ amount, at }) => (
          <p key={at}>
            {formatMoney(amount)} was refunded on {formatMoment(Date.parse(at))} UTC.
          </p>
        ))}
      </header>
      <ul className={`panel ${styles.lines}`} aria-label="Items">
        {order.lines.map(({ sku, title, quantity, unitPrice, product }) => (
          <li key={`${sku} ${unitPrice.amount}`}>
            <div className={styles.picture}>
              <Cover small sku={sku} type={product?.type ?? ''} title={title} image={product?.image} />
            </div>
            <div>
              <Link href={productAddress(sku)}>{title}</Link>
              <p className="note">
                {quantity} × {formatMoney(unitPrice)}
              </p>
            </div>
            <strong>{formatMoney({ ...unitPrice, amount: unitPrice.amount * quantity })}</strong>
          </li>
        ))}
        <li className={styles.total}>
          <span>Total</span>
          <strong>{formatMoney(order.total)}</strong>
        </li>
      </ul>
      <p className={styles.on}>
        <Link href={allAddress} className="button">
          Continue shopping
        </Link>
        <Link href={ordersAddress}>All your orders</Link>
      </p>
    </section>
  );
}
