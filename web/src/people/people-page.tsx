/** All user accounts with their roles, and pending invitations. */
import { useState } from 'react';
import type { PeopleQuery } from '../../generated/graphql.js';
import { viewerStore } from '../api/session.js';
import { formatDate, formatMoment } from '../kit/base/format.js';
import { useStore } from '../kit/base/store.js';
import { Card } from '../kit/display/card.js';
import { Icon } from '../kit/display/icon.js';
import styles from '../kit/lists/cells.module.css';
import { PagedTable } from '../kit/lists/paged-table.js';
import { ACTIONS } from '../kit/lists/table.js';
import { DeletePersonModal } from './delete-person-modal.js';
import { InvitationsCard } from './invitations-card.js';
import { InviteModal } from './invite-modal.js';
import { PeopleDocument, type Person } from './people.js';
import { RoleBadges } from './role-badges.js';
import { RolesModal } from './roles-modal.js';

const connectionOf = (data: PeopleQuery) => data.people;

type Dialog = { readonly kind: 'invite' } | { readonly kind: 'roles' | 'delete'; readonly person: Person };

export function PeoplePage() {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Card
        title="User accounts"
        aside={
          <button type="button" className="button primary" onClick={() => setDialog({ kind: 'invite' })}>
            <Icon name="plus" /> Invite someone
          </button>
        }
      >
        <PagedTable
          label="User accounts"
          query={PeopleDocument}
          connectionOf={connectionOf}
          columns={['Person', 'Roles', 'Since', ACTIONS]}
          rows={(edges) => edges.map(({ node }) => <PersonRow key={node.id} person={node} onDialog={setDialog} />)}
          empty={null}
        />
      </Card>
      <InvitationsCard />
      {dialog?.kind === 'invite' && <InviteModal onClose={close} />}
      {dialog?.kind === 'roles' && <RolesModal person={dialog.person} onClose={close} />}
      {dialog?.kind === 'delete' && <DeletePersonModal person={dialog.person} onClose={close} />}
    </>
  );
}

function PersonRow({ person, onDialog }: { person: Person; onDialog: (dialog: Dialog) => void }) {
  const isMyself = useStore(viewerStore)?.id === person.id;
  const since = Date.parse(person.createdAt);
  return (
    <tr>
      <th scope="row">
        <span className={styles.who}>
          {person.name} {isMyself && <span className="badge">you</span>}
        </span>
        <span className={styles.second}>{person.email}</span>
      </th>
      <td>
        <RoleBadges roles={person.roles} />
      </td>
      <td className={styles.moment} title={`${formatMoment(since)} UTC`}>
        <span className={styles.narrow}>since </span>
        {formatDate(since)}
      </td>
      <td>
        <div className={styles.actions}>
          <button
            type="button"
            className="button small"
            aria-label={`Roles of ${person.name}`}
            onClick={() => onDialog({ kind: 'roles', person })}
          >
            Roles
          </button>
          {isMyself ? (
            <span className={styles.none} />
          ) : (
            <button
              type="button"
              className="button quiet icon small"
              aria-label={`Delete the account of ${person.name}`}
              title="Delete account"
              onClick={() => onDialog({ kind: 'delete', person })}
            >
              <Icon name="trash" />
            </button>
          )}
        </div>
      </td>
    </tr>
  );
}
