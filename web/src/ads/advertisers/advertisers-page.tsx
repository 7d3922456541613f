/** Advertisers: the viewer's own; for editors, all. */
import { useState } from 'react';
import type { AdvertisersQuery } from '../../../generated/graphql.js';
import { viewerStore } from '../../api/session.js';
import { useStore } from '../../kit/base/store.js';
import { Link } from '../../kit/controls/link.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { ACTIONS } from '../../kit/lists/table.js';
import { useRole } from '../../shell/access.js';
import { type Advertiser, AdvertisersDocument } from '../data/advertisers.js';
import { AddAdvertiserModal } from './add-advertiser-modal.js';
import styles from './advertisers-page.module.css';

const connectionOf = (data: AdvertisersQuery) => data.advertisers;

export function AdvertisersPage() {
  const edits = useRole('EDITOR');
  const adds = useRole('ADVERTISER');
  const [whose, setWhose] = useState<'ALL' | 'OWN'>('ALL');
  const [adding, setAdding] = useState(false);
  const own = !edits || whose === 'OWN';
  const close = () => setAdding(false);
  return (
    <Card
      title={edits ? 'Advertisers' : 'Your advertisers'}
      aside={
        adds && (
          <button type="button" className="button" onClick={() => setAdding(true)}>
            <Icon name="plus" /> New advertiser
          </button>
        )
      }
    >
      {edits && (
        <div className={styles.filter}>
          <Segmented
            label="Whose"
            value={whose}
            onChange={setWhose}
            options={[
              { value: 'ALL', label: 'All' },
              { value: 'OWN', label: 'Your own' },
            ]}
          />
        </div>
      )}
      <PagedTable
        key={String(own)}
        label="Advertisers"
        query={AdvertisersDocument}
        variables={{ own }}
        connectionOf={connectionOf}
        columns={['Advertiser', 'Owner', ACTIONS]}
        rows={(edges) => edges.map(({ node }) => <Row key={node.id} advertiser={node} />)}
        empty={
          <Empty icon="megaphone" title={own ? 'You own no advertiser' : 'No advertisers yet'}>
            An advertiser runs campaigns. Its name is shown with its ads.
          </Empty>
        }
      />
      {adding && <AddAdvertiserModal onClose={close} onAdded={close} />}
    </Card>
  );
}

function Row({ advertiser: { id, name, owner } }: { readonly advertiser: Advertiser }) {
  const isMine = useStore(viewerStore)?.id === owner.id;
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>{name}</span>
      </th>
      <td>
        {owner.name || 'no account'} {isMine && <span className="badge">you</span>}
      </td>
      <td>
        <div className={cells.actions}>
          <Link
            className="button small"
            href={`/ads?advertiser=${encodeURIComponent(id)}`}
            aria-label={`Campaigns of ${name}`}
          >
            Campaigns
          </Link>
        </div>
      </td>
    </tr>
  );
}
