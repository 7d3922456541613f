/** Remarks on what keeps the ads of a campaign out of its zones. No more than remarks, because zones may be added and changed later. Pure. */
import { writeAmount } from '../../commerce/money/money.js';
import type { OfferedZone } from '../zones/zone.js';
import type { AdUnitDocument } from './ad-unit.js';
import type { CampaignDocument } from './campaign.js';
import { ecpmOfCampaign, ecpmWithBids } from './pricing.js';

/** @param zone null if there is none @returns why it shows no ads of the campaign, whatever their size. Null if it may show them */
export function zoneNoteOf(
  id: string,
  zone: OfferedZone | null,
  { caps, currency }: Pick<CampaignDocument, 'caps' | 'currency'>,
  ecpm: number,
): string | null {
  if (!zone) return `There is no zone ${id} yet`;
  if (ecpm < zone.floor)
    return `The floor of ${id} is ${writeAmount(zone.floor, currency)}, above the eCPM of the campaign`;
  if (zone.design === 'BASIC' && caps.length > 0) return `${id} shows no ads with frequency caps`;
  return null;
}

/** @param zones those of the campaign that exist */
export function notesOf(
  campaign: CampaignDocument,
  units: readonly AdUnitDocument[],
  zones: readonly OfferedZone[],
): string[] {
  if (campaign.state === 'ENDED') return [];
  const sizes = new Set(units.map(({ size }) => size));
  const ofZones = campaign.placements.map((id) => {
    const zone = zones.find(({ _id }) => _id === id) ?? null;
    const isOtherSize = zone && units.length > 0 && !sizes.has(zone.size);
    return isOtherSize
      ? `${id} shows ads of ${zone.size}, and the campaign has none`
      : zoneNoteOf(id, zone, campaign, ecpmIn(zone, campaign, units));
  });
  const unplaced = [...sizes].filter((size) => zones.length > 0 && zones.every((zone) => zone.size !== size));
  const ofSizes = unplaced.map((size) => `No zone of the campaign shows ads of ${size}`);
  return [...emptinessOf(campaign, units), ...ofZones.filter((note) => note !== null), ...ofSizes];
}

/** A draft is still being made. */
function emptinessOf({ state, placements }: CampaignDocument, units: readonly AdUnitDocument[]): string[] {
  if (state === 'DRAFT') return [];
  return [
    ...(placements.length === 0 ? ['The campaign has no zone'] : []),
    ...(units.length === 0 ? ['The campaign has no ad'] : []),
  ];
}

/** The highest of what it would show in a zone. */
function ecpmIn(zone: OfferedZone | null, campaign: CampaignDocument, units: readonly AdUnitDocument[]): number {
  const shown = units.filter(({ size }) => size === zone?.size);
  return (zone?.design === 'KEYWORDS' ? ecpmWithBids : ecpmOfCampaign)(campaign, shown);
}
