/** Transfers with their states, newest first: of all accounts, or of one. */
import { useCallback } from 'react';
import type { AccountTransfersQuery, AllTransfersQuery, TransferState } from '../../generated/graphql.js';
import { useRole } from '../access.js';
import { Card } from '../parts/card.js';
import cells from '../parts/cells.module.css';
import { formatMoment } from '../parts/format.js';
import { Icon } from '../parts/icon.js';
import { formatMoney } from '../parts/money.js';
import { Empty } from '../parts/notice.js';
import { type Edge, PagedTable } from '../parts/paged-table.js';
import {
  type Account,
  AccountTransfersDocument,
  AllTransfersDocument,
  nameOf,
  type Transfer,
  transferStates,
  useAccounts,
} from './accounts.js';
import { shortId } from './carts.js';
import { StateBadge, type Tone } from './state-badge.js';

export const transferTones: Readonly<Record<TransferState, Tone>> = {
  NEW: 'busy',
  COMMIT: 'busy',
  RETIRED: 'done',
  ROLLBACK: 'busy',
  REVERSED: 'over',
};

const none = { edges: [], pageInfo: { hasNextPage: false } } as const;
const allOf = (data: AllTransfersQuery) => data.transfers;
const ofAccount = (data: AccountTransfersQuery) => data.account?.transfers ?? none;

interface TransfersCardProps {
  /** Null: of all accounts, for those who may see them. */
  readonly account: Account | null;
  readonly onAll: () => void;
}

export function TransfersCard({ account: asked, onAll }: TransfersCardProps) {
  const administers = useRole('ADMIN');
  const { accounts } = useAccounts();
  const account = asked ?? (administers ? null : (accounts?.[0] ?? null));
  const rows = useCallback(
    (edges: readonly Edge<Transfer>[]) =>
      edges.map(({ node }) => <TransferRow key={node.id} transfer={node} accounts={accounts ?? []} />),
    [accounts],
  );
  if (account === null && !administers) return null; // whoever has no account has no transfers
  const shared = {
    label: 'Transfers',
    columns: ['From and to', 'State', 'Amount', 'Begun'],
    rows,
    empty: <Empty icon="table" title="Nothing has been moved yet" />,
  } as const;
  return (
    <Card
      title={account ? `Transfers of ${nameOf(account)}` : 'Transfers'}
      aside={
        <>
          {asked && administers && (
            <button type="button" className="button" onClick={onAll}>
              <Icon name="close" /> Of all accounts
            </button>
          )}
          <span className="note">newest first, times in UTC</span>
        </>
      }
    >
      {account ? (
        <PagedTable
          {...shared}
          key={account.id}
          query={AccountTransfersDocument}
          variables={{ id: account.id }}
          connectionOf={ofAccount}
        />
      ) : (
        <PagedTable {...shared} key="all" query={AllTransfersDocument} connectionOf={allOf} />
      )}
    </Card>
  );
}

function TransferRow({ transfer, accounts }: { transfer: Transfer; accounts: readonly Account[] }) {
  const { from, to, state, amount, createdAt } = transfer;
  const nameById = (id: string) => {
    const account = accounts.find((each) => each.id === id);
    return account ? nameOf(account) : shortId(id);
  };
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>
          {nameById(from)} → {nameById(to)}
        </span>
        <span className={`mono ${cells.second}`}>{shortId(transfer.id)}</span>
      </th>
      <td>
        <StateBadge words={transferStates[state]} tone={transferTones[state]} />
      </td>
      <td className={cells.moment}>{formatMoney(amount)}</td>
      <td className={cells.moment}>{formatMoment(Date.parse(createdAt))}</td>
    </tr>
  );
}
