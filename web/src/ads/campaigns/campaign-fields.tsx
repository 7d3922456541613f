/** The fields of a campaign, for a new one and for changes. */
import { Segmented } from '../../kit/controls/segmented.js';
import { TextField } from '../../kit/controls/text-field.js';
import type { CampaignDraft } from '../data/campaign-draft.js';
import { CapsField } from '../parts/caps-field.js';
import fields from '../parts/fields.module.css';
import { PlacementsField } from '../parts/placements-field.js';

interface CampaignFieldsProps {
  readonly draft: CampaignDraft;
  readonly currency: string;
  readonly onChange: (part: Partial<CampaignDraft>) => void;
  /** What is paid for cannot change later. */
  readonly isNew: boolean;
}

export function CampaignFields({ draft, currency, onChange, isNew }: CampaignFieldsProps) {
  const { priceModel } = draft;
  const inCurrency = currency === '' ? '' : ` in ${currency}`; // not known yet
  return (
    <>
      <TextField
        label="Name"
        name="name"
        maxLength={100}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => onChange({ name: target.value })}
        required
      />
      {isNew && (
        <div className={`field ${fields.choice}`}>
          <span className="label">Pay for</span>
          <Segmented
            label="Pay for"
            value={priceModel}
            onChange={(chosen) => onChange({ priceModel: chosen })}
            options={[
              { value: 'CPM', label: '1,000 impressions' },
              { value: 'CPC', label: 'A click' },
            ]}
          />
        </div>
      )}
      <div className={fields.pair}>
        <TextField
          label={`Price of ${priceModel === 'CPM' ? '1,000 impressions' : 'a click'}${inCurrency}`}
          name="price"
          inputMode="decimal"
          autoComplete="off"
          value={draft.price}
          onChange={({ target }) => onChange({ price: target.value })}
          required
        />
        <TextField
          label={`Budget${inCurrency}`}
          name="budget"
          inputMode="decimal"
          autoComplete="off"
          hint="Paid in advance when the campaign starts. Never overspent, and the rest is paid back."
          value={draft.budget}
          onChange={({ target }) => onChange({ budget: target.value })}
          required
        />
        <TextField
          label="Begins (UTC)"
          name="from"
          type="datetime-local"
          hint={isNew ? 'Empty: now' : undefined}
          value={draft.from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
        <TextField
          label="Ends (UTC)"
          name="to"
          type="datetime-local"
          value={draft.to}
          onChange={({ target }) => onChange({ to: target.value })}
          required
        />
      </div>
      <div className={`field ${fields.choice}`}>
        <span className="label">Spend the budget</span>
        <Segmented
          label="Spend the budget"
          value={draft.pacing}
          onChange={(pacing) => onChange({ pacing })}
          options={[
            { value: 'EVEN', label: 'Evenly' },
            { value: 'ASAP', label: 'As soon as possible' },
          ]}
        />
      </div>
      <PlacementsField draft={draft} onChange={onChange} />
      <CapsField caps={draft.caps} onChange={(caps) => onChange({ caps })} />
    </>
  );
}
