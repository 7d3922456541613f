/** The zones of a site; and of the chosen one its ads, its snippet, and what it would show to whom. */
import { useEffect, useRef, useState } from 'react';
import { useSites } from '../../analytics/sites/sites.js';
import { navigate, useLocation } from '../../kit/base/location.js';
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { ACTIONS, Table } from '../../kit/lists/table.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { useCurrency } from '../data/currency.js';
import { useSiteWithZones } from '../data/offered-zones.js';
import { useZones, zoneDesigns, zonePath } from '../data/zones.js';
import { DryRunCard } from './dry-run-card.js';
import { ZoneCard } from './zone-card.js';
import { type ListedZone, RemoveZone, ZoneModal } from './zone-modals.js';
import styles from './zones.module.css';

export function ZonesPage() {
  const answer = useSites();
  const { query } = useLocation();
  const sites = answer.data?.sites;
  const wanted = query.get('site');
  const named = sites?.find(({ host }) => host === wanted)?.host;
  const withZones = useSiteWithZones(wanted === null || (sites !== undefined && named === undefined));
  const site = named ?? withZones ?? sites?.[0]?.host ?? null;
  if (!sites || (named === undefined && withZones === undefined)) {
    return (
      <Card title="Zones">
        <Waiting {...answer} data={null} rows={5} />
      </Card>
    );
  }
  if (site === null) {
    return (
      <div className="card">
        <Empty
          icon="globe"
          title="There is no site yet"
          action={
            <Link className="button" href="/">
              Go to the charts
            </Link>
          }
        >
          A zone is a place for ads on the pages of a site. Register the site first.
        </Empty>
      </div>
    );
  }
  return (
    <SiteZones
      key={site}
      site={site}
      hosts={sites.map(({ host }) => host)}
      zone={query.get('site') === site ? query.get('zone') : null}
    />
  );
}

interface SiteZonesProps {
  readonly site: string;
  readonly hosts: readonly string[];
  /** Null: the first one. */
  readonly zone: string | null;
}

type Asked =
  | { readonly act: 'edit'; readonly zone: ListedZone | null }
  | { readonly act: 'remove'; readonly zone: ListedZone };

function SiteZones({ site, hosts, zone }: SiteZonesProps) {
  const { zones, error, again } = useZones(site);
  const currency = useCurrency();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const chosen = zones?.find((each) => each.zone === zone) ?? zones?.[0] ?? null;
  const card = useRef<HTMLDivElement>(null);
  const asksFor = zone !== null && chosen?.zone === zone ? zone : null;
  useEffect(() => {
    if (asksFor !== null && card.current && !isSeen(card.current)) card.current.scrollIntoView();
  }, [asksFor]);
  return (
    <>
      <Card
        title="Zones"
        aside={
          <>
            <select
              className={`input ${styles.site}`}
              aria-label="Site"
              value={site}
              onChange={({ target }) => navigate(`/ads/zones?${new URLSearchParams({ site: target.value })}`)}
            >
              {hosts.map((host) => (
                <option key={host} value={host}>
                  {host}
                </option>
              ))}
            </select>
            <button type="button" className="button primary" onClick={() => setAsked({ act: 'edit', zone: null })}>
              <Icon name="plus" /> New zone
            </button>
          </>
        }
      >
        <Waiting data={zones} error={error} again={again} rows={4} />
        {zones?.length === 0 && (
          <Empty icon="megaphone" title="This site has no zones">
            A zone is a place for ads of one size. Paste its snippet where they are to appear.
          </Empty>
        )}
        {zones && zones.length > 0 && (
          <Table label="Zones" columns={['Zone', 'Size', 'Design', 'Floor', ACTIONS]}>
            <tbody>
              {zones.map((each) => (
                <tr key={each.id} className={each.zone === chosen?.zone ? styles.chosen : undefined}>
                  <th scope="row">
                    <Link
                      className={cells.who}
                      href={zonePath(each)}
                      aria-current={each.zone === chosen?.zone ? 'true' : undefined}
                    >
                      {each.zone}
                    </Link>
                    {each.inShop && <span className="badge">the shop</span>}
                  </th>
                  <td>{each.size}</td>
                  <td>{zoneDesigns[each.design].name}</td>
                  <td>
                    <span className={cells.narrow}>floor </span>
                    {currency !== '' && formatMoney({ amount: each.floor, currency })}
                  </td>
                  <td>
                    <div className={cells.actions}>
                      <button
                        type="button"
                        className="button small"
                        aria-label={`Change the zone ${each.zone}`}
                        onClick={() => setAsked({ act: 'edit', zone: each })}
                      >
                        Change
                      </button>
                      <button
                        type="button"
                        className="button small quiet icon"
                        aria-label={`Remove the zone ${each.zone}`}
                        onClick={() => setAsked({ act: 'remove', zone: each })}
                      >
                        <Icon name="trash" />
                      </button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      {chosen && (
        <div ref={card} className={styles.card}>
          <ZoneCard key={`${chosen.id} live`} name={{ site, zone: chosen.zone }} />
        </div>
      )}
      {chosen && <DryRunCard key={chosen.id} name={{ site, zone: chosen.zone }} />}
      {asked?.act === 'edit' && <ZoneModal site={site} zone={asked.zone} onClose={close} />}
      {asked?.act === 'remove' && <RemoveZone zone={asked.zone} onClose={close} />}
    </>
  );
}

/** Whether enough of it is in the window, below many zones. */
function isSeen(element: Element): boolean {
  const { top } = element.getBoundingClientRect();
  return top >= 0 && top < window.innerHeight / 2;
}
