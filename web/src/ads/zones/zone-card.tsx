/** A zone, live: what it has shown, its ads by eCPM, and the snippet to paste. */
import { useEffect } from 'react';
import { useSites } from '../../analytics/sites/sites.js';
import { useData } from '../../api/use-data.js';
import { formatCount, shortId } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { Snippet } from '../../kit/controls/snippet.js';
import { Card } from '../../kit/display/card.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import cells from '../../kit/lists/cells.module.css';
import { Table } from '../../kit/lists/table.js';
import { campaignPath } from '../data/campaigns.js';
import { useCurrency } from '../data/currency.js';
import { NOWHERE, SHOP, useZonePages } from '../data/zone-pages.js';
import {
  type Considered,
  ExplainDecisionDocument,
  useZone,
  type Zone,
  type ZoneName,
  zoneDesigns,
} from '../data/zones.js';
import { ZoneFigures } from './zone-figures.js';
import styles from './zones.module.css';

export function ZoneCard({ name }: { readonly name: ZoneName }) {
  const { state: zone, refused } = useZone(name);
  return (
    <Card
      title={`${name.site}/${name.zone}`}
      aside={zone && <span className="note">{describe(zone)}</span>}
      bodyClass={styles.stack}
    >
      <ZoneFigures name={name} />
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      {!zone && refused === null && <SkeletonRows rows={4} />}
      {zone && <Ads name={name} zone={zone} />}
      {zone && <Elsewhere zone={zone} />}
      {zone && (
        <Snippet
          label="Paste where the ads are to appear"
          text={zone.snippet}
          copy="Copy the snippet"
          note="The site must allow the origin of its pages, as for the beacon."
        />
      )}
    </Card>
  );
}

const describe = ({ size, design, inShop }: Zone): string =>
  [size, zoneDesigns[design].name, ...(inShop ? ['shown in the shop'] : [])].join(', ');

/** The shop and blogs are pages of this server: they show a zone of another site only at an address of that one. */
function Elsewhere({ zone }: { readonly zone: Zone }) {
  const pages = useZonePages(zone.site, zone);
  const { data } = useSites();
  const site = data?.sites.find(({ host }) => host === zone.site);
  if (!pages || pages.shownOn === NOWHERE || !site) return null;
  const what = pages.shownOn === SHOP ? 'The shop' : 'The blog';
  const { host, origin } = window.location;
  if (site.host !== host) {
    return (
      <Notice tone="plain">
        {what} shows it only at {site.host}. This address is {host}: to see ads here, register it as a site.
      </Notice>
    );
  }
  if (site.allowedOrigins.includes(origin)) return null;
  return (
    <Notice tone="warn">
      {what} does not show it: the site {site.host} does not allow the origin {origin}.
    </Notice>
  );
}

const anybody = { visitor: null, keywords: [], count: 1 };
/** A zone may have a thousand. */
const ROWS_MAX = 50;

function Ads({ name, zone: { ads, floor } }: { readonly name: ZoneName; readonly zone: Zone }) {
  const currency = useCurrency();
  const considered = useConsidered(name, ads);
  if (ads.length === 0) {
    return (
      <Empty icon="megaphone" title="No ads in this zone">
        Running campaigns with an ad unit of its size appear here as soon as they name it as a placement.
      </Empty>
    );
  }
  return (
    <>
      <Table label="Ads of the zone" columns={['Campaign', 'Ad unit', 'eCPM', 'Keywords']}>
        <tbody>
          {ads.slice(0, ROWS_MAX).map(({ campaignId, adUnitId, headline, ecpm, keywords }) => {
            const campaign = considered?.get(adUnitId)?.campaign;
            return (
              <tr key={adUnitId}>
                <th scope="row">
                  <Link className={cells.who} href={campaignPath(campaignId)}>
                    {campaign?.name ?? shortId(campaignId)}
                  </Link>
                  <span className={cells.second}>{campaign?.advertiser.name}</span>
                </th>
                <td>{headline ?? <span className="mono">{shortId(adUnitId)}</span>}</td>
                <td>
                  <span className={cells.narrow}>eCPM </span>
                  {currency !== '' && formatMoney({ amount: ecpm, currency })}
                  {ecpm < floor && <span className="note"> below the floor</span>}
                </td>
                <td>{keywords.join(', ') || <span className={`note ${cells.wide}`}>—</span>}</td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      {ads.length > ROWS_MAX && (
        <p className="note">
          The best {ROWS_MAX} of {formatCount(ads.length)}.
        </p>
      )}
    </>
  );
}

/** The names of the campaigns, which the live zone does not have. Asked for again when the zone has changed. */
function useConsidered(name: ZoneName, ads: Zone['ads']): ReadonlyMap<string, Considered> | null {
  const { data, again } = useData(ExplainDecisionDocument, { ...name, ...anybody });
  const known = data && new Map(data.explainDecision.considered.map((each) => [each.adUnitId, each]));
  const isUnknown = known !== null && ads.some(({ adUnitId }) => !known.has(adUnitId));
  useEffect(() => {
    if (isUnknown) again();
  }, [isUnknown, again]);
  return known;
}
