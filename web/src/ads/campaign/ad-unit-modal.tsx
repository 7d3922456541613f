/** Adds an ad unit, or changes one, with a preview of it. */

import { useState } from 'react';
import type { AdUnitInput } from '../../../generated/graphql.js';
import type { UploadedPicture } from '../../api/picture-upload.js';
import { parseAmount, toAmountText } from '../../kit/base/money.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { useForm } from '../../kit/controls/use-form.js';
import { useRole } from '../../shell/access.js';
import { saveAdUnit } from '../data/ad-units.js';
import type { AdUnit, Campaign } from '../data/campaigns.js';
import { AdPreview } from '../parts/ad-preview.js';
import fields from '../parts/fields.module.css';
import { type KeywordDraft, KeywordsField } from './keywords-field.js';
import { PictureField } from './picture-field.js';

interface AdUnitModalProps {
  readonly campaign: Pick<Campaign, 'id' | 'advertiser'>;
  readonly currency: string;
  /** Null: a new one. */
  readonly unit: AdUnit | null;
  /** To choose from: those of the campaign's zones first. */
  readonly sizes: readonly string[];
  readonly onClose: () => void;
}

interface UnitDraft {
  readonly size: string;
  readonly headline: string;
  readonly text: string;
  readonly html: string;
  readonly landingUrl: string;
  readonly picture: UploadedPicture | null;
  readonly sku: string;
  readonly keywords: readonly KeywordDraft[];
}

const draftOf = (unit: AdUnit | null, [size = '']: readonly string[]): UnitDraft => ({
  size: unit?.size ?? size,
  headline: unit?.headline ?? '',
  text: unit?.text ?? '',
  html: unit?.html ?? '',
  landingUrl: unit?.landingUrl ?? '',
  picture: unit?.image ?? null,
  sku: unit?.product?.sku ?? '',
  keywords: unit?.keywords.map(({ keyword, bid }) => ({ keyword, bid: toAmountText(bid) })) ?? [],
});

/** @returns what is wrong, as a sentence */
function inputOf(draft: UnitDraft, currency: string): AdUnitInput | string {
  const keywords = draft.keywords.map(({ keyword, bid }) => ({
    keyword: keyword.trim(),
    bid: parseAmount(bid, currency),
  }));
  const [headline, text, html, sku] = [draft.headline, draft.text, draft.html, draft.sku].map((each) => each.trim());
  if (!headline && !html && !draft.picture) return 'An ad needs a headline, a picture or HTML';
  if (keywords.some(({ keyword, bid }) => keyword === '' || !bid))
    return `Enter each keyword with a bid in ${currency}`;
  return {
    size: draft.size.trim(),
    landingUrl: draft.landingUrl.trim(),
    ...(headline && { headline }),
    ...(text && { text }),
    ...(html && { html }),
    ...(sku && { sku }),
    ...(draft.picture && { imageId: draft.picture.id }),
    keywords: keywords.map(({ keyword, bid }) => ({ keyword, bid: { amount: bid ?? 0, currency } })),
  };
}

export function AdUnitModal({ campaign, currency, unit, sizes, onClose }: AdUnitModalProps) {
  const writesHtml = useRole('EDITOR');
  const [draft, setDraft] = useState(() => draftOf(unit, sizes));
  const [isUploading, setUploading] = useState(false);
  const product = draft.sku === unit?.product?.sku ? unit.product : null;
  const change = (part: Partial<UnitDraft>) => setDraft((before) => ({ ...before, ...part }));
  const form = useForm(async () => {
    const input = inputOf(draft, currency);
    if (typeof input === 'string') return input;
    const refused = await saveAdUnit(campaign.id, unit?.id ?? null, input);
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title={unit ? 'Change the ad unit' : 'New ad unit'} open onOpenChange={onClose} wide steady>
      <ModalForm form={form} yes={unit ? 'Save' : 'Add the ad unit'} doing="Saving…" disabled={isUploading}>
        <div className={fields.pair}>
          <TextField
            label="Headline"
            name="headline"
            maxLength={100}
            autoComplete="off"
            value={draft.headline}
            onChange={({ target }) => change({ headline: target.value })}
          />
          <TextField
            label="Size in pixels"
            name="size"
            list="ad-sizes"
            autoComplete="off"
            pattern="\d{1,4}x\d{1,4}"
            title="Width, x, height"
            value={draft.size}
            onChange={({ target }) => change({ size: target.value })}
            required
          />
          <TextField
            label="Text"
            name="text"
            maxLength={500}
            autoComplete="off"
            value={draft.text}
            onChange={({ target }) => change({ text: target.value })}
          />
          <TextField
            label="Where a click leads"
            name="landingUrl"
            type="url"
            autoComplete="off"
            placeholder="https://"
            hint="{{receipt}} in its query lets that page count conversions."
            value={draft.landingUrl}
            onChange={({ target }) => change({ landingUrl: target.value })}
            required
          />
        </div>
        <datalist id="ad-sizes">
          {sizes.map((size) => (
            <option key={size} value={size} />
          ))}
        </datalist>
        <PictureField picture={draft.picture} onChange={(picture) => change({ picture })} onBusy={setUploading} />
        <TextField
          label="Product"
          name="sku"
          autoComplete="off"
          placeholder="SKU"
          hint="Optional. The ad is not shown while the product is sold out."
          value={draft.sku}
          onChange={({ target }) => change({ sku: target.value })}
        />
        {writesHtml && <HtmlField html={draft.html} onChange={(html) => change({ html })} />}
        <KeywordsField keywords={draft.keywords} currency={currency} onChange={(keywords) => change({ keywords })} />
        <div className="field">
          <span className="label">Preview</span>
          <AdPreview
            ad={{
              ...draft,
              product,
              advertiser: campaign.advertiser.name,
              size: draft.size.trim(),
              image: draft.picture,
            }}
          />
        </div>
      </ModalForm>
    </Modal>
  );
}

interface HtmlFieldProps {
  readonly html: string;
  readonly onChange: (html: string) => void;
}

const HtmlField = ({ html, onChange }: HtmlFieldProps) => (
  <div className="field">
    <label htmlFor="ad-html">HTML, instead of the above</label>
    <textarea
      className="input mono"
      id="ad-html"
      rows={html === '' ? 2 : 6}
      maxLength={50_000}
      spellCheck={false}
      aria-describedby="ad-html-hint"
      value={html}
      onChange={({ target }) => onChange(target.value)}
    />
    <span className="note" id="ad-html-hint">
      For editors only. {'{{clickUrl}}'} is replaced by the address that counts a click. The preview runs no scripts and
      loads no pictures from elsewhere.
    </span>
  </div>
);
