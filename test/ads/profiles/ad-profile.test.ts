import { describe, expect, it } from 'vitest';
import {
  type ContactKind,
  contactsByAdvertiser,
  UNITS_MAX,
  VisitorContacts,
} from '../../../src/models/ads/profiles/ad-profile.js';
import { CONTACTS_MAX } from '../../../src/models/ads/profiles/frequency-cap.js';
import { DAY_MS, HOUR_MS } from '../../../src/shared/time.js';
import { minutesLater, now } from '../network.js';

const contact = (unit: string, minutes = 0, kind: ContactKind = 'impressions') => ({
  kind,
  ad_unit_id: unit,
  campaign_id: `campaign of ${unit}`,
  advertiser_id: 'anna',
  at: minutesLater(minutes),
});
const daily = (count: number, scope: 'AD_UNIT' | 'CAMPAIGN' = 'AD_UNIT') => [{ scope, count, period_ms: DAY_MS }];

describe('the contacts of a visitor', () => {
  it('count for caps as soon as they are added', () => {
    const visitor = new VisitorContacts(null, now);
    expect(visitor.allows('a', 'campaign of a', daily(2))).toBe(true);
    visitor.add(contact('a', -1));
    visitor.add(contact('a', -2));
    expect(visitor.allows('a', 'campaign of a', daily(2))).toBe(false);
    expect(visitor.allows('a', 'campaign of a', daily(3))).toBe(true);
    expect(visitor.allows('b', 'campaign of b', daily(1))).toBe(true);
    expect(visitor.allows('b', 'campaign of a', daily(2, 'CAMPAIGN'))).toBe(false);
  });

  it('of another kind do not count for caps', () => {
    const visitor = new VisitorContacts(null, now);
    visitor.add(contact('a', 0, 'clicks'));
    expect(visitor.allows('a', 'campaign of a', daily(1))).toBe(true);
  });

  it('are bounded in number and age in the same update', () => {
    const many = new VisitorContacts(null, now);
    for (let n = 0; n < CONTACTS_MAX + 5; n += 1) many.add(contact('a', -n));
    const stored = many.update()?.$set as Record<string, { impressions: Date[] }>;
    expect(stored['units.a']?.impressions).toHaveLength(CONTACTS_MAX);
    expect(stored['units.a']?.impressions.at(-1)).toEqual(now);

    const monthLater = new Date(now.getTime() + 30 * DAY_MS);
    const units = { a: { advertiser_id: 'anna', campaign_id: 'c', impressions: [now], clicks: [], conversions: [] } };
    const later = new VisitorContacts({ units }, monthLater);
    later.add({ ...contact('b'), at: monthLater });
    expect(later.update()).toMatchObject({ $set: { 'units.b': {} }, $unset: { 'units.a': '' } });
  });

  it('are dropped after 30 days whatever is added, also of another kind or to another ad unit', () => {
    const monthLater = new Date(now.getTime() + 30 * DAY_MS);
    const recent = new Date(monthLater.getTime() - DAY_MS);
    const contacts = {
      advertiser_id: 'anna',
      campaign_id: 'c',
      impressions: [now, recent],
      clicks: [now],
      conversions: [now],
    };
    const fresh = { ...contacts, impressions: [recent], clicks: [], conversions: [] };
    const visitor = new VisitorContacts({ units: { a: contacts, b: contacts, c: fresh } }, monthLater);
    visitor.add({ ...contact('a'), at: monthLater });
    const { expires_at: _, ...stored } = (visitor.update()?.$set ?? {}) as Record<string, object>;
    expect(stored).toEqual({
      'units.a': { ...fresh, impressions: [recent, monthLater] },
      'units.b': fresh, // and the other one stays as it is
    });
  });

  it('with ad units that are older than 30 days take no room, and are dropped with the next one', () => {
    const old = { advertiser_id: 'anna', campaign_id: 'c', impressions: [now], clicks: [], conversions: [] };
    const units = Object.fromEntries(Array.from({ length: UNITS_MAX }, (_, index) => [`old-${index}`, old]));
    const monthLater = new Date(now.getTime() + 30 * DAY_MS);
    const visitor = new VisitorContacts({ units }, monthLater);
    expect(visitor.allows('a', 'campaign of a', daily(1))).toBe(true);
    visitor.add({ ...contact('a'), at: monthLater });
    visitor.add({ ...contact('old-0'), at: monthLater });
    expect(visitor.allows('a', 'campaign of a', daily(1))).toBe(false);
    const { $set = {}, $unset = {} } = visitor.update() ?? {};
    expect($set).toMatchObject({
      'units.a': { impressions: [monthLater] },
      'units.old-0': { impressions: [monthLater] },
    });
    expect(Object.keys($unset)).toHaveLength(UNITS_MAX - 1);
    expect($unset).not.toHaveProperty(['units.old-0']);
  });

  it('are not stored if nothing was added, or the visitor wants to be forgotten', () => {
    expect(new VisitorContacts(null, now).update()).toBeNull();
    const forgotten = new VisitorContacts({ units: {}, forgotten: true }, now);
    forgotten.add(contact('a'));
    expect(forgotten.update()).toBeNull();
    expect(forgotten.allows('a', 'campaign of a', daily(1))).toBe(false);
    expect(forgotten.allows('a', 'campaign of a', [])).toBe(true);
  });

  it('with too many ad units allow no further ones with caps', () => {
    const visitor = new VisitorContacts(null, now);
    for (let n = 0; n < UNITS_MAX; n += 1) visitor.add(contact(`unit ${n}`));
    expect(visitor.allows('one more', 'a campaign', daily(1))).toBe(false);
    expect(visitor.allows('unit 1', 'campaign of unit 1', daily(2))).toBe(true);
  });

  it('are summed by advertiser, as far as they are recent', () => {
    const dates = [new Date(now.getTime() - 31 * DAY_MS), new Date(now.getTime() - HOUR_MS)];
    const unit = (advertiser_id: string) => ({
      advertiser_id,
      campaign_id: 'c',
      impressions: dates,
      clicks: [now],
      conversions: [],
    });
    const units = { a: unit('anna'), b: unit('anna'), c: unit('ben') };
    expect(contactsByAdvertiser({ _id: 'v', units, expires_at: now }, now)).toEqual([
      { advertiser_id: 'anna', impressions: 2, clicks: 2, conversions: 0, since: dates[1] },
      { advertiser_id: 'ben', impressions: 1, clicks: 1, conversions: 0, since: dates[1] },
    ]);
  });
});
