/** What a campaign has spent of its budget, its pace, and starting, pausing and ending it. */
import { useAccount } from '../../commerce/back-office/data/accounts.js';
import { formatMoment, formatShare } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { type Campaign, useIsScheduled } from '../data/campaigns.js';
import { endWords } from '../parts/campaign-state.js';
import { Facts } from '../parts/facts.js';
import { SpendBar } from '../parts/spend-bar.js';
import styles from './campaign.module.css';
import { CampaignActs } from './campaign-acts.js';

export function MoneyCard({ campaign }: { readonly campaign: Campaign }) {
  const { advertiser, spent, budget, state, pacing, progress, flight, accountId } = campaign;
  const account = useAccount(accountId);
  const isScheduled = useIsScheduled(campaign);
  return (
    <Card
      title="Budget"
      aside={
        <Link className="note" href={`/ads?advertiser=${encodeURIComponent(advertiser.id)}`}>
          {advertiser.name}
        </Link>
      }
      bodyClass={styles.stack}
    >
      <Facts
        large
        facts={[['Spent', formatMoney(spent)], ['Budget', formatMoney(budget)], ...moneyFacts(campaign, isScheduled)]}
      />
      <SpendBar campaign={campaign} />
      <p className="note">
        {state === 'ENDED'
          ? `${endWords(campaign)}. `
          : `${formatMoment(Date.parse(flight.from))} to ${formatMoment(Date.parse(flight.to))} UTC. `}
        {state === 'RUNNING' &&
          !isScheduled &&
          pacing === 'EVEN' &&
          `The mark shows an even pace. ${shareWords(progress.share)}`}
        {state === 'DRAFT' && account && `The account that pays has ${formatMoney(account.balance)}.`}
      </p>
      <CampaignActs campaign={campaign} />
    </Card>
  );
}

/** @param share 0: in no zone */
const shareWords = (share: number): string =>
  share === 0 ? 'Its ads are in no zone yet.' : `Its ads take part in ${formatShare(share)} of the decisions.`;

function moneyFacts({ state, pacing, progress, paid, refunded }: Campaign, isScheduled: boolean): [string, string][] {
  if (isScheduled) return []; // nothing is known yet
  switch (state) {
    case 'DRAFT':
      return [];
    case 'ENDED':
      return [
        ['Paid', formatMoney(paid)],
        ['Paid back', formatMoney(refunded)],
      ];
    default:
      return [
        ...(pacing === 'EVEN' ? [['Expected by now', formatMoney(progress.expected)] as [string, string]] : []),
        ['Forecast', formatMoney(progress.forecast)],
      ];
  }
}
