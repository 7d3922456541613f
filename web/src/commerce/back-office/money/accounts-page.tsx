/** Accounts with their balances, and the transfers between them. */

import { useState } from 'react';
import type { AccountsQuery } from '../../../../generated/graphql.js';
import { viewerStore } from '../../../api/session.js';
import { shortId } from '../../../kit/base/format.js';
import { formatMoney } from '../../../kit/base/money.js';
import { useStore } from '../../../kit/base/store.js';
import { Card } from '../../../kit/display/card.js';
import { Columns } from '../../../kit/display/columns.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty } from '../../../kit/display/notice.js';
import cells from '../../../kit/lists/cells.module.css';
import { PagedTable } from '../../../kit/lists/paged-table.js';
import { ACTIONS } from '../../../kit/lists/table.js';
import { useRole } from '../../../shell/access.js';
import {
  type Account,
  AccountsDocument,
  nameOf,
  transferStates,
  useAccount,
  useOpenedAccounts,
} from '../data/accounts.js';
import { StateBadge } from '../parts/state-badge.js';
import styles from './accounts-page.module.css';
import { OpenAccountModal } from './open-account-modal.js';
import { TransferForm } from './transfer-form.js';
import { TransfersCard } from './transfers-card.js';

const connectionOf = (data: AccountsQuery) => data.accounts;

export function AccountsPage() {
  const administers = useRole('ADMIN');
  const [opening, setOpening] = useState(false);
  const opened = useOpenedAccounts();
  /** The account whose transfers are listed; null: all accounts. */
  const [account, setAccount] = useState<Account | null>(null);
  return (
    <>
      <Columns>
        <Card
          title={administers ? 'All accounts' : 'Your accounts'}
          aside={
            <button type="button" className="button" onClick={() => setOpening(true)}>
              <Icon name="plus" /> Open an account
            </button>
          }
        >
          <PagedTable
            label="Accounts"
            query={AccountsDocument}
            connectionOf={connectionOf}
            news={opened}
            columns={['Account', 'Pending', 'Balance', ACTIONS]}
            rows={(edges) => edges.map(({ node }) => <AccountRow key={node.id} account={node} onList={setAccount} />)}
            empty={
              <Empty icon="user" title="You have no account">
                Open an account to pay and to receive money.
              </Empty>
            }
          />
        </Card>
        <TransferForm />
      </Columns>
      <TransfersCard account={account} onAll={() => setAccount(null)} />
      {opening && <OpenAccountModal onClose={() => setOpening(false)} />}
    </>
  );
}

function AccountRow({ account: listed, onList }: { account: Account; onList: (account: Account) => void }) {
  const account = useAccount(listed.id) ?? listed;
  const isMine = useStore(viewerStore)?.id === account.owner;
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>
          {nameOf(account)} {isMine && <span className="badge">you</span>}
        </span>
        <span className={`mono ${cells.second}`}>{shortId(account.id)}</span>
      </th>
      <td>
        {account.pending.length === 0 ? (
          <span className="note">
            none<span className={cells.narrow}> pending</span>
          </span>
        ) : (
          <span className="badges">
            {account.pending.map(({ id, state }) => (
              <StateBadge key={id} words={transferStates[state]} tone="busy" />
            ))}
          </span>
        )}
      </td>
      <td className={styles.balance}>{formatMoney(account.balance)}</td>
      <td>
        <div className={cells.actions}>
          <button
            type="button"
            className="button small"
            aria-label={`Transfers of ${nameOf(account)} ${shortId(account.id)}`}
            onClick={() => onList(account)}
          >
            Transfers
          </button>
        </div>
      </td>
    </tr>
  );
}
