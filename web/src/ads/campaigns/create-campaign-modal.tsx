/** Creates the draft of a campaign, with what to expect of it while it is entered. */
import { useState } from 'react';
import { navigate } from '../../kit/base/location.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { useForm } from '../../kit/controls/use-form.js';
import type { Advertiser } from '../data/advertisers.js';
import { createCampaign } from '../data/campaign-commands.js';
import { type CampaignDraft, inputOf, newDraft } from '../data/campaign-draft.js';
import { campaignPath } from '../data/campaigns.js';
import { useCurrency } from '../data/currency.js';
import fields from '../parts/fields.module.css';
import { AccountField } from './account-field.js';
import { CampaignFields } from './campaign-fields.js';
import { PlanPreview } from './plan-preview.js';

interface CreateCampaignModalProps {
  readonly advertisers: readonly Advertiser[];
  /** Chosen at first. */
  readonly advertiser: string | null;
  readonly onClose: () => void;
}

export function CreateCampaignModal({ advertisers, advertiser, onClose }: CreateCampaignModalProps) {
  const currency = useCurrency();
  const [draft, setDraft] = useState<CampaignDraft>(() => ({
    ...newDraft(Date.now()),
    advertiserId: advertiser ?? advertisers[0]?.id ?? '',
  }));
  const change = (part: Partial<CampaignDraft>) => setDraft((before) => ({ ...before, ...part }));
  const input = currency === '' ? 'Wait' : inputOf(draft, currency);
  const form = useForm(async () => {
    if (typeof input === 'string') return input;
    const created = await createCampaign(input);
    if (typeof created === 'string') return created;
    onClose();
    navigate(campaignPath(created.id));
    return null;
  });
  return (
    <Modal
      title="New campaign"
      description="It begins as a draft: nothing is paid, and nothing is shown until you start it."
      open
      onOpenChange={onClose}
      wide
      steady
    >
      <ModalForm form={form} yes="Create draft" doing="Creating…" disabled={currency === ''}>
        <div className={fields.pair}>
          <div className="field">
            <label htmlFor="campaign-advertiser">Advertiser</label>
            <select
              className="input"
              id="campaign-advertiser"
              value={draft.advertiserId}
              onChange={({ target }) => change({ advertiserId: target.value })}
              required
            >
              {advertisers.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <AccountField id={draft.accountId} onChoose={(accountId) => change({ accountId })} />
        </div>
        <CampaignFields draft={draft} currency={currency} onChange={change} isNew />
        <PlanPreview input={input} />
      </ModalForm>
    </Modal>
  );
}
