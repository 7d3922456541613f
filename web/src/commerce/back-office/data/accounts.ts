/** Accounts and transfers. */
import { useEffect } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type {
  AccountBalanceChangedSubscription,
  AccountBalanceFragment,
  AccountOpenedSubscription,
  AllTransfersQuery,
  OpenAccountInput,
  TransferKind,
  TransferState,
} from '../../../../generated/graphql.js';
import { mutateOnce } from '../../../api/client.js';
import { usePolling } from '../../../api/polling.js';
import type { EventOf } from '../../../api/subscription.js';
import { useData } from '../../../api/use-data.js';
import { type Live, useLive } from '../../../api/use-live.js';

export type Account = AccountBalanceFragment;
export type Transfer = AllTransfersQuery['transfers']['edges'][number]['node'];

graphql(`
  fragment AccountBalance on Account {
    id
    owner
    ownerName
    balance { amount currency }
    pending { id state }
  }
`);

graphql(`
  fragment TransferFields on Transfer {
    id state amount { amount currency } from to createdAt kind reverses reversedBy
  }
`);

const AccountChoiceDocument = graphql(`
  query AccountChoice {
    accounts(first: 100) { edges { node { ...AccountBalance } } }
    storeCurrency
  }
`);

export const AccountsDocument = graphql(`
  query Accounts($first: Int!, $after: String) {
    accounts(first: $first, after: $after) {
      edges { cursor node { ...AccountBalance } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const AllTransfersDocument = graphql(`
  query AllTransfers($first: Int!, $after: String) {
    transfers(first: $first, after: $after) {
      edges { cursor node { ...TransferFields } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const AccountTransfersDocument = graphql(`
  query AccountTransfers($id: ID!, $first: Int!, $after: String) {
    account(id: $id) {
      id
      transfers(first: $first, after: $after) {
        edges { cursor node { ...TransferFields } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const AccountBalanceChangedDocument = graphql(`
  subscription AccountBalanceChanged($id: ID!, $after: String) {
    accountChanged(id: $id, after: $after) { cursor account { ...AccountBalance } }
  }
`);

const TransferDocument = graphql(`
  mutation Transfer($from: ID!, $to: ID!, $amount: MoneyInput!, $key: String!) {
    transfer(from: $from, to: $to, amount: $amount, idempotencyKey: $key) {
      __typename
      ... on Transfer { ...TransferFields }
      ... on Refusal { message }
      ... on InsufficientFunds { balance { amount currency } }
    }
  }
`);

const ReverseTransferDocument = graphql(`
  mutation ReverseTransfer($id: ID!, $key: String!) {
    reverseTransfer(id: $id, idempotencyKey: $key) {
      __typename
      ... on Transfer { ...TransferFields }
      ... on Refusal { message }
    }
  }
`);

const OpenAccountDocument = graphql(`
  mutation OpenAccount($input: OpenAccountInput!, $key: String!) {
    openAccount(input: $input, idempotencyKey: $key) { ...AccountBalance }
  }
`);

const nothing = {};

const AccountOpenedDocument = graphql(`
  subscription AccountOpened($after: String) {
    accountOpened(after: $after) { cursor accounts { id } }
  }
`);

const countAccounts = (before: number | null, { accounts }: EventOf<AccountOpenedSubscription>): number =>
  (before ?? 0) + accounts.length;

/** Increases whenever an account is opened that the viewer may see. Null until the first event. */
export const useOpenedAccounts = (): number | null => useLive(AccountOpenedDocument, nothing, countAccounts).state;

const POLL_MS = 10_000;
const ofAccounts = { additionalTypenames: ['Account'] };
/** Connections contain their type even when they are empty. */
const ofMoney = { additionalTypenames: ['Account', 'Transfer', 'TransferConnection'] };

/** The accounts that the viewer can choose from, at most 100, and the store's currency. */
export function useAccounts() {
  const { data, error, again } = useData(AccountChoiceDocument, nothing, ofAccounts);
  usePolling(again, POLL_MS);
  const opened = useOpenedAccounts();
  useEffect(() => {
    if (opened !== null) again();
  }, [opened, again]);
  return {
    accounts: data?.accounts.edges.map(({ node }) => node) ?? null,
    currency: data?.storeCurrency ?? '',
    error,
    again,
  };
}

const takeAccount = (_before: Account | null, { account }: EventOf<AccountBalanceChangedSubscription>): Account =>
  account;

/** Follows an account. It is refused to those who may not use it. @param id null: none */
export const useFollowedAccount = (id: string | null): Live<Account> =>
  useLive(AccountBalanceChangedDocument, id === null ? null : { id }, takeAccount);

/** @returns null until the first event */
export const useAccount = (id: string | null): Account | null => useFollowedAccount(id).state;

/** @param amount in minor units @returns the transfer, or why it was refused */
export async function transfer(from: string, to: string, amount: number, currency: string): Promise<Transfer | string> {
  const answer = await mutateOnce(TransferDocument, { from, to, amount: { amount, currency } }, ofMoney);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.transfer ? answer.transfer.message : answer.transfer;
}

/** Reverses a transfer. @returns why it was refused, or null */
export async function reverseTransfer(id: string): Promise<string | null> {
  const answer = await mutateOnce(ReverseTransferDocument, { id }, ofMoney);
  if (typeof answer === 'string') return answer;
  return 'message' in answer.reverseTransfer ? answer.reverseTransfer.message : null;
}

/** @returns the account, or why it was refused */
export async function openAccount(input: OpenAccountInput): Promise<Account | string> {
  const answer = await mutateOnce(OpenAccountDocument, { input }, ofAccounts);
  return typeof answer === 'string' ? answer : answer.openAccount;
}

export interface StateWords {
  readonly name: string;
  readonly meaning: string;
}

export const transferStates: Readonly<Record<TransferState, StateWords>> = {
  NEW: { name: 'Preparing', meaning: 'The payer is being debited' },
  COMMIT: { name: 'Committing', meaning: 'It is being completed and can no longer be rolled back' },
  RETIRED: { name: 'Done', meaning: 'The money has arrived' },
  ROLLBACK: { name: 'Rolling back', meaning: 'The payer is getting the money back' },
  REVERSED: { name: 'Rolled back', meaning: 'No money was moved' },
};

export const transferKinds: Readonly<Record<TransferKind, string>> = {
  TRANSFER: '',
  PAYMENT: 'order payment',
  REFUND: 'order refund',
  REVERSAL: 'reversal of a transfer',
};

/** The display name of an account. */
export const nameOf = ({ id, ownerName }: Pick<Account, 'id' | 'ownerName'>): string =>
  ownerName || `Account …${id.replace(/=+$/, '').slice(-6)}`;
