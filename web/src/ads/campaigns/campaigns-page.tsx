/** Campaigns by state, or those of one advertiser, as they are spent and paced. */
import { useState } from 'react';
import type { CampaignState, CampaignsOfQuery, CampaignsQuery } from '../../../generated/graphql.js';
import { formatDate, formatShare } from '../../kit/base/format.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty, Failure } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { type Edge, PagedTable } from '../../kit/lists/paged-table.js';
import { SeedCard } from '../../shell/seed/seed-card.js';
import { AddAdvertiserModal } from '../advertisers/add-advertiser-modal.js';
import { useAdvertisers } from '../data/advertisers.js';
import {
  type CampaignRow,
  CampaignsDocument,
  CampaignsOfDocument,
  campaignPath,
  campaignStates,
  useCampaignRow,
  useIsScheduled,
} from '../data/campaigns.js';
import { CampaignBadge } from '../parts/campaign-state.js';
import { SpendBar } from '../parts/spend-bar.js';
import styles from './campaigns-page.module.css';
import { CreateCampaignModal } from './create-campaign-modal.js';

const states = Object.keys(campaignStates) as CampaignState[];
const none = { edges: [], pageInfo: { hasNextPage: false } } as const;
const ofState = (data: CampaignsQuery) => data.campaigns;
const ofAdvertiser = ({ node }: CampaignsOfQuery) => (node?.__typename === 'Advertiser' ? node.campaigns : none);

/** What the address says: `?state=`, or `?advertiser=` for all of an advertiser. */
function useFilter() {
  const { query } = useLocation();
  const asked = query.get('state') as CampaignState | null;
  return { state: asked && states.includes(asked) ? asked : ('RUNNING' as const), advertiser: query.get('advertiser') };
}

export function CampaignsPage() {
  const { advertisers, error, again } = useAdvertisers();
  const { state, advertiser } = useFilter();
  const [asked, setAsked] = useState<'campaign' | 'advertiser' | null>(null);
  const filter = (query: string) => navigate(`/ads?${query}`, { replace: true });
  const close = () => setAsked(null);
  const [reloads, setReloads] = useState(0);
  const showSamples = () => {
    again();
    setReloads(reloads + 1);
  };
  const create = (
    <button
      type="button"
      className="button primary"
      disabled={!advertisers}
      onClick={() => setAsked(advertisers?.length === 0 ? 'advertiser' : 'campaign')}
    >
      <Icon name="plus" /> New campaign
    </button>
  );
  return (
    <>
      {error && !advertisers && <Failure again={again}>{error}</Failure>}
      <Card title="Campaigns" aside={create}>
        <div className={styles.filters}>
          {advertiser === null && (
            <Segmented
              label="State"
              value={state}
              onChange={(chosen) => filter(`state=${chosen}`)}
              options={states.map((value) => ({ value, label: campaignStates[value].name }))}
            />
          )}
          {advertisers && advertisers.length > 0 && (
            <select
              className={`input ${styles.advertiser}`}
              aria-label="Advertiser"
              value={advertiser ?? ''}
              onChange={({ target }) =>
                filter(target.value === '' ? `state=${state}` : `advertiser=${encodeURIComponent(target.value)}`)
              }
            >
              <option value="">All advertisers</option>
              {advertisers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </div>
        {advertiser === null ? (
          <PagedTable
            key={`${state} ${reloads}`}
            label="Campaigns"
            query={CampaignsDocument}
            variables={{ state }}
            connectionOf={ofState}
            columns={columns}
            rows={rowsOf}
            empty={
              <Nothing
                name={campaignStates[state].name.toLowerCase()}
                toDrafts={state === 'RUNNING' && (advertisers?.length ?? 0) > 0}
              />
            }
          />
        ) : (
          <PagedTable
            key={advertiser}
            label="Campaigns"
            query={CampaignsOfDocument}
            variables={{ advertiser }}
            connectionOf={ofAdvertiser}
            columns={columns}
            rows={rowsOf}
            empty={<Nothing name="of this advertiser" />}
          />
        )}
      </Card>
      {advertisers && (
        <SeedCard domain="ads" next="Go to the campaigns" onNext={showSamples}>
          Two advertisers with campaigns in every state, three zones of an invented site, and a week of impressions and
          clicks. You can undo it later: what you have not changed is removed, and the rest of the money is paid back.
        </SeedCard>
      )}
      {asked === 'advertiser' && <AddAdvertiserModal onClose={close} onAdded={() => setAsked('campaign')} />}
      {asked === 'campaign' && advertisers && advertisers.length > 0 && (
        <CreateCampaignModal advertisers={advertisers} advertiser={advertiser} onClose={close} />
      )}
    </>
  );
}

const columns = ['Campaign', 'State', 'Spent', 'Pace', 'Price', 'Ends'];
const rowsOf = (edges: readonly Edge<CampaignRow>[]) => edges.map(({ node }) => <Row key={node.id} campaign={node} />);

interface NothingProps {
  readonly name: string;
  /** A new campaign is a draft, and whoever looks for it looks here first. */
  readonly toDrafts?: boolean;
}

const Nothing = ({ name, toDrafts = false }: NothingProps) => (
  <Empty
    icon="megaphone"
    title={name.startsWith('of') ? `No campaigns ${name}` : `No ${name} campaigns`}
    action={toDrafts && <Link href="/ads?state=DRAFT">Go to the drafts</Link>}
  >
    A campaign says whose ads are shown where, at what price, and until when.
  </Empty>
);

function Row({ campaign: listed }: { readonly campaign: CampaignRow }) {
  const campaign = useCampaignRow(listed);
  const { id, name, advertiser, priceModel, price, budget, spent, flight, progress, state } = campaign;
  const isScheduled = useIsScheduled(campaign);
  return (
    <tr>
      <th scope="row">
        <Link className={cells.who} href={campaignPath(id)}>
          {name}
        </Link>
        <span className={cells.second}>{advertiser.name}</span>
      </th>
      <td>
        <CampaignBadge campaign={campaign} />
      </td>
      <td className={styles.spent}>
        <span className={styles.amount}>
          {formatMoney(spent)} <span className="note">of {formatMoney(budget)}</span>
        </span>
        <SpendBar campaign={campaign} />
      </td>
      <td>
        {state === 'RUNNING' && !isScheduled ? (
          <>
            {formatShare(progress.share)} <span className="note">of decisions</span>
          </>
        ) : (
          <span className={`note ${cells.wide}`}>—</span>
        )}
      </td>
      <td>
        {formatMoney(price)} <span className="note">{priceModel}</span>
      </td>
      <td className={cells.moment}>
        <span className={cells.narrow}>ends </span>
        {formatDate(Date.parse(flight.to))}
      </td>
    </tr>
  );
}
