/** Transfers with their states, newest first, of all accounts or of one. */
import { useCallback, useState } from 'react';
import type { AccountTransfersQuery, AllTransfersQuery, TransferState } from '../../../../generated/graphql.js';
import { formatMoment, shortId } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { Confirmation } from '../../../kit/controls/confirmation.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { type Edge, PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS } from '../../../kit/lists/table.js';
import { useRole } from '../../../shell/access.js';
import {
  type Account,
  AccountTransfersDocument,
  AllTransfersDocument,
  nameOf,
  reverseTransfer,
  type Transfer,
  transferKinds,
  transferStates,
  useAccounts,
} from '../data/accounts.js';
import { StateBadge, type Tone } from '../parts/state-badge.js';

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
  /** Null: all accounts for administrators, the first account for others. */
  readonly account: Account | null;
  readonly onAll: () => void;
}

export function TransfersCard({ account: asked, onAll }: TransfersCardProps) {
  const administers = useRole('ADMIN');
  const { accounts } = useAccounts();
  const account = asked ?? (administers ? null : (accounts?.[0] ?? null));
  const [asking, setAsking] = useState<Transfer | null>(null);
  const nameById = useCallback(
    (id: string) => {
      const found = accounts?.find((each) => each.id === id);
      return found ? nameOf(found) : shortId(id);
    },
    [accounts],
  );
  // Only the recipient of the money, or an administrator, can reverse a transfer.
  const mayTakeBack = useCallback(
    ({ state, kind, reversedBy, to }: Transfer) =>
      state === 'RETIRED' && kind === 'TRANSFER' && !reversedBy && (administers || hasAccount(accounts, to)),
    [accounts, administers],
  );
  const rows = useCallback(
    (edges: readonly Edge<Transfer>[]) =>
      edges.map(({ node }) => (
        <TransferRow
          key={node.id}
          transfer={node}
          nameById={nameById}
          onTakeBack={mayTakeBack(node) ? () => setAsking(node) : null}
        />
      )),
    [mayTakeBack, nameById],
  );
  if (account === null && !administers) return null; // without an account there are no transfers
  const shared = {
    label: 'Transfers',
    columns: ['From and to', 'State', 'Amount', 'Started', ACTIONS],
    rows,
    empty: <Empty icon="table" title="No transfers yet" />,
  } as const;
  return (
    <Card
      title={account ? `Transfers of ${nameOf(account)}` : 'Transfers'}
      aside={
        <>
          {asked && administers && (
            <button type="button" className="button" onClick={onAll}>
              <Icon name="close" /> All accounts
            </button>
          )}
          <span className="note">newest first, times in UTC</span>
        </>
      }
    >
      {asking && <TakeBack transfer={asking} nameById={nameById} onClose={() => setAsking(null)} />}
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

const hasAccount = (accounts: readonly Account[] | null, id: string): boolean =>
  accounts?.some((each) => each.id === id) ?? false;

interface TransferRowProps {
  readonly transfer: Transfer;
  readonly nameById: (id: string) => string;
  /** Null: it cannot be reversed, or not by the viewer. */
  readonly onTakeBack: (() => void) | null;
}

function TransferRow({ transfer, nameById, onTakeBack }: TransferRowProps) {
  const { from, to, state, kind, amount, createdAt, reversedBy } = transfer;
  const about = reversedBy ? 'reversed' : transferKinds[kind];
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>
          {nameById(from)} → {nameById(to)}
        </span>
        <span className={cells.second}>
          <span className="mono">{shortId(transfer.id)}</span>
          {about && ` · ${about}`}
        </span>
      </th>
      <td>
        <StateBadge words={transferStates[state]} tone={transferTones[state]} />
      </td>
      <td className={cells.moment}>{formatMoney(amount)}</td>
      <td className={cells.moment}>{formatMoment(Date.parse(createdAt))}</td>
      <td>
        <div className={cells.actions}>
          {onTakeBack && (
            <button
              type="button"
              className="button small"
              aria-label={`Reverse the transfer ${shortId(transfer.id)}`}
              onClick={onTakeBack}
            >
              Reverse…
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}

interface TakeBackProps {
  readonly transfer: Transfer;
  readonly nameById: (id: string) => string;
  readonly onClose: () => void;
}

function TakeBack({ transfer: { id, from, to, amount }, nameById, onClose }: TakeBackProps) {
  const sum = formatMoney(amount);
  return (
    <Confirmation
      title={`Reverse ${sum} from ${nameById(to)}?`}
      consequence={`Another transfer moves ${sum} from ${nameById(to)} to ${nameById(from)}. A transfer can be reversed only once, and a reversal cannot be reversed.`}
      no="Cancel"
      yes={`Reverse ${sum}`}
      act={() => reverseTransfer(id)}
      onClose={onClose}
    />
  );
}
