/** Adds a product to the cart. */
import { useState } from 'react';
import { Link } from '../../../kit/controls/link.js';
import { Icon } from '../../../kit/display/icon.js';
import { cartAddress } from './addresses.js';
import { addToCart, type LineRefusal } from './cart.js';
import { tellRefusal } from './refusals.js';
import { say } from './toast.js';

interface AddButtonProps {
  readonly sku: string;
  readonly title: string;
  readonly quantity?: number;
  readonly soldOut: boolean;
  /** With a label; otherwise a small button with a plus. */
  readonly large?: boolean;
  /** Called with the refusal, instead of showing it as a toast. */
  readonly onRefused?: (refusal: LineRefusal) => void;
  /** Called around the request: a drop in stock meanwhile is due to this customer. */
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
