/**
 * Payment. An attempt has an idempotency key and is kept in this browser until its result is known: a second click, a
 * lost response or a reload retries the same attempt, which charges only once.
 */
import { graphql } from '../../../../generated/gql.js';
import type { CheckOutMutation } from '../../../../generated/graphql.js';
import { newKey } from '../../../api/new-key.js';
import { command, type Failed, isFailed } from '../parts/commands.js';

const CheckOutDocument = graphql(`
  mutation CheckOut($cartId: ID!, $account: ID!, $key: String!) {
    checkOut(cartId: $cartId, payment: { account: $account }, idempotencyKey: $key) {
      __typename
      ... on Order { id }
      ... on Refusal { message }
      ... on PaymentDeclined { reason }
      ... on CartNotActive { state }
      ... on ProductNotFound { sku }
    }
  }
`);

export type CheckOutAnswer = CheckOutMutation['checkOut'];

export interface Attempt {
  readonly cartId: string;
  readonly account: string;
  readonly key: string;
}

const STORED_UNDER = 'sextant.shop.attempt';

/** The attempt whose result is unknown. */
export function openAttempt(): Attempt | null {
  const stored = localStorage.getItem(STORED_UNDER);
  return stored === null ? null : (JSON.parse(stored) as Attempt);
}

export const newAttempt = (cartId: string, account: string): Attempt => ({ cartId, account, key: newKey() });

/** @returns the result; `Failed` with `open` if it is unknown and the same attempt should be retried */
export async function pay(attempt: Attempt): Promise<CheckOutAnswer | Failed> {
  localStorage.setItem(STORED_UNDER, JSON.stringify(attempt));
  const outcome = await command(CheckOutDocument, { ...attempt });
  if (isFailed(outcome)) {
    if (!outcome.open) localStorage.removeItem(STORED_UNDER);
    return outcome;
  }
  localStorage.removeItem(STORED_UNDER);
  return outcome.data.checkOut;
}
