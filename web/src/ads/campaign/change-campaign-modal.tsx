/** Changes a campaign that has not ended. Only what differs is sent. */
import { useState } from 'react';
import { formatMoney, parseAmount, toAmountText } from '../../kit/base/money.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { useForm } from '../../kit/controls/use-form.js';
import { Notice } from '../../kit/display/notice.js';
import { CampaignFields } from '../campaigns/campaign-fields.js';
import { changeCampaign } from '../data/campaign-commands.js';
import { type CampaignDraft, changesOf, draftOf } from '../data/campaign-draft.js';
import type { Campaign } from '../data/campaigns.js';

interface ChangeCampaignModalProps {
  readonly campaign: Campaign;
  readonly onClose: () => void;
}

export function ChangeCampaignModal({ campaign, onClose }: ChangeCampaignModalProps) {
  const { id, budget, paid } = campaign;
  const { currency } = budget;
  /** As it was when the dialog opened: meanwhile the campaign goes on. */
  const [before] = useState(() => draftOf(campaign, (amount) => toAmountText({ amount, currency })));
  const [draft, setDraft] = useState<CampaignDraft>(before);
  const form = useForm(async () => {
    const changes = changesOf(before, draft, currency);
    if (typeof changes === 'string') return changes;
    const refused = Object.keys(changes).length === 0 ? null : await changeCampaign(id, changes);
    if (refused === null) onClose();
    return refused;
  });
  const more = (parseAmount(draft.budget, currency) ?? 0) - paid.amount;
  return (
    <Modal title="Change the campaign" description="Zones follow at once." open onOpenChange={onClose} wide steady>
      <ModalForm form={form} yes="Save" doing="Saving…">
        <CampaignFields
          draft={draft}
          currency={currency}
          onChange={(part) => setDraft((old) => ({ ...old, ...part }))}
          isNew={false}
        />
        {paid.amount > 0 && more > 0 && (
          <Notice tone="plain">{formatMoney({ amount: more, currency })} more is paid from its account at once.</Notice>
        )}
        {paid.amount > 0 && more < 0 && (
          <Notice tone="warn">
            The budget is paid, so it can only be raised. To get money back, end the campaign.
          </Notice>
        )}
      </ModalForm>
    </Modal>
  );
}
