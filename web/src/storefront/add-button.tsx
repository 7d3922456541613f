/** Takes a product from the shelf. */
import { useState } from 'react';
import { Icon } from '../parts/icon.js';
import { Link } from '../parts/link.js';
import { cartAddress } from './addresses.js';
import { addToCart, type LineRefusal } from './cart.js';
import { tellRefusal } from './refusals.js';
import { say } from './toast.js';

interface AddButtonProps {
  readonly sku: string;
  readonly title: string;
  readonly quantity?: number;
  readonly soldOut: boolean;
  /** With its words; otherwise a small one with a plus. */
  readonly large?: boolean;
  /** Tells why not, in the place of a short word at the edge of the page. */
  readonly onRefused?: (refusal: LineRefusal) => void;
  /** Tells that a unit is on its way: what then leaves the shelf is this customer's. */
  readonly onBusy?: (busy: boolean) => void;
}

export function AddButton({ sku, title, quantity = 1, soldOut, large = false, onRefused, onBusy }: AddButtonProps) {
  const [busy, setBusy] = useState(false);
  const add = async () => {
    if (busy) return;
    setBusy(true);
    onBusy?.(true);
    const refusal = await addToCart(sku, quantity);
    setBusy(false);
    onBusy?.(false);
    if (!refusal)
      say({ tone: 'good', text: `“${title}” is in your cart`, action: <Link href={cartAddress}>Cart</Link> });
    else if (onRefused) onRefused(refusal);
    else say({ tone: 'bad', text: tellRefusal(refusal, title) });
  };
  if (large) {
    return (
      <button
        type="button"
        className="button primary large"
        disabled={soldOut}
        aria-busy={busy}
        onClick={() => void add()}
      >
        <Icon name="cart" />
        {soldOut ? 'Not available right now' : 'Add to cart'}
      </button>
    );
  }
  return (
    <button
      type="button"
      className="button icon"
      disabled={soldOut}
      aria-busy={busy}
      aria-label={`Add ${title} to the cart`}
      title="Add to cart"
      onClick={() => void add()}
    >
      <Icon name="plus" />
    </button>
  );
}
