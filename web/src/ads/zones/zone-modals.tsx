/** Adds a zone, changes or removes it. */
import { useId, useState } from 'react';
import type { ZoneDesign } from '../../../generated/graphql.js';
import { parseAmount, toAmountText } from '../../kit/base/money.js';
import { Choice } from '../../kit/controls/choices.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { useCurrency } from '../data/currency.js';
import { NOWHERE, SHOP, useZonePages } from '../data/zone-pages.js';
import { removeZone, saveZone, type Zone, zoneDesigns } from '../data/zones.js';

export type ListedZone = Pick<Zone, 'id' | 'site' | 'zone' | 'size' | 'design' | 'floor' | 'inShop'>;

interface ZoneModalProps {
  readonly site: string;
  /** Null: a new one. */
  readonly zone: ListedZone | null;
  readonly onClose: () => void;
}

const designs = (Object.keys(zoneDesigns) as ZoneDesign[]).map((value) => ({ value, ...zoneDesigns[value] }));

export function ZoneModal({ site, zone, onClose }: ZoneModalProps) {
  const currency = useCurrency();
  const pages = useZonePages(site, zone);
  const [design, setDesign] = useState<ZoneDesign>(zone?.design ?? 'CAPPED');
  const form = useForm(async (fields) => {
    const floor = parseAmount(textOf(fields, 'floor') || '0', currency);
    if (floor === null) return `Enter the floor in ${currency}`;
    const name = zone?.zone ?? textOf(fields, 'zone').trim();
    const size = textOf(fields, 'size').trim();
    const shownOn = pages?.inputOf(textOf(fields, 'shownOn'));
    const refused = await saveZone({ site, zone: name, size, design, floor, ...shownOn });
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title={zone ? `Change the zone ${zone.zone}` : `New zone on ${site}`} open onOpenChange={onClose}>
      {currency !== '' && pages && (
        <ModalForm form={form} yes="Save" doing="Saving…">
          {!zone && (
            <TextField
              label="Name"
              name="zone"
              maxLength={50}
              pattern="[A-Za-z0-9_\-]{1,50}"
              title="Letters, digits, - and _"
              autoComplete="off"
              placeholder="top"
              required
            />
          )}
          <TextField
            label="Size in pixels"
            name="size"
            pattern="\d{1,4}x\d{1,4}"
            title="Width, x, height"
            autoComplete="off"
            defaultValue={zone?.size ?? '300x250'}
            required
          />
          <Choice label="Design" options={designs} chosen={design} onChange={setDesign} />
          <TextField
            label={`Floor in ${currency}`}
            name="floor"
            inputMode="decimal"
            autoComplete="off"
            hint="Ads that bring less for 1,000 impressions are not shown."
            defaultValue={zone && zone.floor > 0 ? toAmountText({ amount: zone.floor, currency }) : ''}
            placeholder="0"
          />
          <PagesField site={site} pages={pages} />
        </ModalForm>
      )}
    </Modal>
  );
}

/** Other pages need its snippet. */
function PagesField({ site, pages }: { site: string; pages: NonNullable<ReturnType<typeof useZonePages>> }) {
  const select = useId();
  return (
    <div className="field">
      <label htmlFor={select}>Shown on</label>
      <select
        className="input"
        id={select}
        name="shownOn"
        defaultValue={pages.shownOn}
        aria-describedby={`${select}-hint`}
      >
        <option value={NOWHERE}>Pages with its snippet</option>
        <option value={SHOP}>The shop</option>
        {pages.blogs.map(({ id, title }) => (
          <option key={id} value={id}>
            Blog: {title}
          </option>
        ))}
      </select>
      <span className="note" id={`${select}-hint`}>
        The shop and blogs show it if their address, with its port, is {site}
        {site === window.location.host ? '' : `: here it is ${window.location.host}`}.
      </span>
    </div>
  );
}

interface RemoveZoneProps {
  readonly zone: ListedZone;
  readonly onClose: () => void;
}

export const RemoveZone = ({ zone, onClose }: RemoveZoneProps) => (
  <Confirmation
    title={`Remove the zone “${zone.zone}”?`}
    consequence={`Pages of ${zone.site} that have its snippet show no ads there any more. Its statistics stay.`}
    no="Cancel"
    yes="Remove the zone"
    act={() => removeZone({ site: zone.site, zone: zone.zone })}
    onClose={onClose}
  />
);
