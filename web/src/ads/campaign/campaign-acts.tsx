/** Starting, pausing, resuming and ending a campaign. Each says first what it does to the money. */
import { useId, useState } from 'react';
import type { CampaignState } from '../../../generated/graphql.js';
import { useAccount, useFollowedAccount } from '../../commerce/back-office/data/accounts.js';
import { formatMoney } from '../../kit/base/money.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Icon } from '../../kit/display/icon.js';
import { endCampaign, pauseCampaign, startCampaign } from '../data/campaign-commands.js';
import type { Campaign } from '../data/campaigns.js';
import styles from './campaign.module.css';
import { ChangeCampaignModal } from './change-campaign-modal.js';

type Act = 'start' | 'pause' | 'resume' | 'end';

const actsIn: Readonly<Record<CampaignState, readonly Act[]>> = {
  DRAFT: ['start', 'end'],
  RUNNING: ['pause', 'end'],
  PAUSED: ['resume', 'end'],
  ENDED: [],
};

const words: Readonly<Record<Act, string>> = { start: 'Start', pause: 'Pause', resume: 'Resume', end: 'End' };
const commands: Readonly<Record<Act, (id: string) => Promise<string | null>>> = {
  start: startCampaign,
  pause: pauseCampaign,
  resume: startCampaign,
  end: endCampaign,
};

export function CampaignActs({ campaign }: { readonly campaign: Campaign }) {
  const [asked, setAsked] = useState<Act | 'change' | null>(null);
  const { id, name, state, accountId } = campaign;
  const mayNotPay = useFollowedAccount(state === 'DRAFT' ? accountId : null).refused !== null;
  const reason = useId();
  const close = () => setAsked(null);
  if (state === 'ENDED') return null;
  return (
    <div className={styles.acts}>
      {actsIn[state].map((act) => (
        <button
          key={act}
          type="button"
          className={`button ${act === 'start' || act === 'resume' ? 'primary' : ''} ${act === 'end' ? 'danger' : ''}`}
          disabled={act === 'start' && mayNotPay}
          aria-describedby={act === 'start' && mayNotPay ? reason : undefined}
          onClick={() => setAsked(act)}
        >
          {words[act]}…
        </button>
      ))}
      <button type="button" className="button" onClick={() => setAsked('change')}>
        <Icon name="pen" /> Change…
      </button>
      {mayNotPay && (
        <span className="note" id={reason}>
          Only those who may use its account can start it.
        </span>
      )}
      {asked === 'change' && <ChangeCampaignModal campaign={campaign} onClose={close} />}
      {asked !== null && asked !== 'change' && (
        <Confirmation
          title={`${words[asked]} “${name}”?`}
          consequence={<Consequence act={asked} campaign={campaign} />}
          no="Cancel"
          yes={asked === 'start' ? `Pay ${formatMoney(campaign.budget)} and start` : `${words[asked]} the campaign`}
          harmless={asked !== 'end'}
          act={() => commands[asked](id)}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ConsequenceProps {
  readonly act: Act;
  readonly campaign: Campaign;
}

function Consequence({ act, campaign: { state, budget, paid, spent, accountId } }: ConsequenceProps) {
  const account = useAccount(accountId);
  const has = account ? `, which has ${formatMoney(account.balance)}` : '';
  switch (act) {
    case 'start':
      return `${formatMoney(budget)} is paid now from its account${has}. What is not spent is paid back at the end. Its ads are shown once its flight has begun.`;
    case 'pause':
      return 'Its ads leave all zones at once. Nothing is paid back until it ends, and its flight goes on.';
    case 'resume':
      return 'Its ads go back into its zones. Nothing is paid: its budget is paid already.';
    case 'end':
      return state === 'DRAFT'
        ? 'Nothing was paid, so nothing is paid back. It cannot be started any more.'
        : `Its ads leave all zones at once. ${formatMoney(spent)} was spent, and what is left, now ${formatMoney({ ...paid, amount: Math.max(0, paid.amount - spent.amount) })}, is paid back to its account. It cannot be started again.`;
  }
}
