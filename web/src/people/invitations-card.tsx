/** Pending invitations. */
import { useState } from 'react';
import { graphql } from '../../generated/gql.js';
import type { InvitationsQuery } from '../../generated/graphql.js';
import { usePolling } from '../api/polling.js';
import { useData } from '../api/use-data.js';
import { formatDate, formatMoment } from '../kit/base/format.js';
import { Confirmation } from '../kit/controls/confirmation.js';
import { Card } from '../kit/display/card.js';
import { Empty } from '../kit/display/notice.js';
import styles from '../kit/lists/cells.module.css';
import { ACTIONS, Table } from '../kit/lists/table.js';
import { Waiting } from '../kit/lists/waiting.js';
import { ofInvitations, withdrawInvitation } from './people.js';
import { RoleBadges } from './role-badges.js';

const InvitationsDocument = graphql(`
  query Invitations {
    invitations { id email roles createdAt expiresAt }
  }
`);

type Invitation = InvitationsQuery['invitations'][number];

const POLL_MS = 10_000;
const nothing = {};

export function InvitationsCard() {
  const { data, error, again } = useData(InvitationsDocument, nothing, ofInvitations);
  usePolling(again, POLL_MS);
  const [withdrawing, setWithdrawing] = useState<Invitation | null>(null);
  const invitations = data?.invitations;
  return (
    <Card title="Pending invitations">
      <Waiting data={invitations} error={error} again={again} rows={2} />
      {invitations?.length === 0 && (
        <Empty icon="people" title="No pending invitations">
          Invitations are listed here until they are accepted, or expire after seven days.
        </Empty>
      )}
      {invitations && invitations.length > 0 && (
        <Table label="Pending invitations" columns={['Address', 'Roles', 'Valid until', ACTIONS]}>
          <tbody>
            {invitations.map((invitation) => (
              <InvitationRow key={invitation.id} invitation={invitation} onWithdraw={setWithdrawing} />
            ))}
          </tbody>
        </Table>
      )}
      {withdrawing && (
        <Confirmation
          title="Withdraw this invitation?"
          consequence={`The link for ${withdrawing.email} will stop working.`}
          no="Cancel"
          yes="Withdraw invitation"
          act={() => withdrawInvitation(withdrawing.id)}
          onClose={() => setWithdrawing(null)}
        />
      )}
    </Card>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly onWithdraw: (invitation: Invitation) => void;
}

function InvitationRow({ invitation, onWithdraw }: InvitationRowProps) {
  const until = Date.parse(invitation.expiresAt);
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>{invitation.email}</span>
        <span className={styles.second}>invited on {formatDate(Date.parse(invitation.createdAt))}</span>
      </th>
      <td>
        <RoleBadges roles={invitation.roles} />
      </td>
      <td className={styles.moment} title={`${formatMoment(until)} UTC`}>
        <span className={styles.narrow}>valid until </span>
        {formatDate(until)}
      </td>
      <td>
        <div className={styles.actions}>
          <button
            type="button"
            className="button small"
            aria-label={`Withdraw the invitation for ${invitation.email}`}
            onClick={() => onWithdraw(invitation)}
          >
            Withdraw
          </button>
        </div>
      </td>
    </tr>
  );
}
