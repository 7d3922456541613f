/** One campaign, live: its money and pace, its statistics, its ad units, and what can be done with it. */
import { useState } from 'react';
import { useLocation } from '../../kit/base/location.js';
import { inMoney } from '../../kit/base/money.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Columns } from '../../kit/display/columns.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { Heading } from '../../shell/heading.js';
import { idIn } from '../../shell/section.js';
import { useCampaignStats } from '../data/campaign-stats.js';
import { type Campaign, useCampaign } from '../data/campaigns.js';
import { CampaignBadge } from '../parts/campaign-state.js';
import { day } from '../parts/stats-chart.js';
import styles from './campaign.module.css';
import { MoneyCard } from './money-card.js';
import { SettingsCard } from './settings-card.js';
import { StatsCard } from './stats-card.js';
import { UnitChoice } from './unit-choice.js';
import { UnitsCard } from './units-card.js';

export function CampaignPage() {
  const { path } = useLocation();
  const id = idIn('/ads/campaign/:id', path) ?? '';
  return <CampaignView key={id} id={id} />;
}

function CampaignView({ id }: { readonly id: string }) {
  const { state: campaign, refused } = useCampaign(id);
  useTitle(campaign?.name ?? 'Campaign');
  if (refused !== null && !campaign) {
    return (
      <div className="card">
        <Heading>Campaign</Heading>
        <Empty
          icon="megaphone"
          title={refused}
          action={
            <Link className="button" href="/ads">
              Go to the campaigns
            </Link>
          }
        >
          It does not exist, or belongs to somebody else.
        </Empty>
      </div>
    );
  }
  if (!campaign) return <SkeletonRows rows={4} height="160px" />;
  return (
    <>
      <Heading>
        <span className={styles.name}>
          {campaign.name} <CampaignBadge campaign={campaign} />
        </span>
      </Heading>
      <Notes notes={campaign.notes} />
      <Columns>
        <MoneyCard campaign={campaign} />
        <SettingsCard campaign={campaign} />
      </Columns>
      <CampaignFigures campaign={campaign} />
    </>
  );
}

/** What keeps its ads out of its zones. */
const Notes = ({ notes }: Pick<Campaign, 'notes'>) =>
  notes.length > 0 && (
    <Notice tone="warn">
      {notes.map((note) => (
        <div key={note}>{inMoney(note)}.</div>
      ))}
    </Notice>
  );

/** Its totals and those of its ad units change together. */
function CampaignFigures({ campaign }: { readonly campaign: Campaign }) {
  const [preset, setPreset] = useState(day);
  const [chosen, setChosen] = useState<string | null>(null);
  const unit = campaign.adUnits.find(({ id }) => id === chosen) ?? null; // it may have been removed
  const stats = useCampaignStats(campaign.id, unit?.id ?? null, preset);
  return (
    <>
      <StatsCard
        campaign={campaign}
        stats={stats}
        preset={preset}
        onPreset={setPreset}
        choice={<UnitChoice units={campaign.adUnits} chosen={unit} onChoose={setChosen} />}
      />
      <UnitsCard campaign={campaign} totals={stats.known?.totals ?? null} />
    </>
  );
}
