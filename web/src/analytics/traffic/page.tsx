/** Traffic: the hits of one page over time, live; the site's top pages; its log imports. */
import { useEffect, useState } from 'react';
import { useIsAway } from '../../api/connection.js';
import { Columns } from '../../kit/display/columns.js';
import { Empty, Failure } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { useRole } from '../../shell/access.js';
import { ImportCard } from '../imports/import-card.js';
import { SiteSnippet } from '../sites/site-form.js';
import { SitePicker } from '../sites/site-picker.js';
import { type Site, useSites } from '../sites/sites.js';
import { TrafficFirstSteps } from './first-steps.js';
import { HitChartCard } from './hit-chart-card.js';
import styles from './page.module.css';
import { PagePicker } from './page-picker.js';
import { SpanPicker } from './span-picker.js';
import { TopPagesCard } from './top-pages.js';
import { useKnownPages, useTopPages } from './use-top-pages.js';
import { type Span, useView } from './view.js';

export function TrafficPage() {
  const { data, error, again } = useSites();
  const isAway = useIsAway();
  const administers = useRole('ADMIN');
  const [view, setView] = useView();
  const sites = data?.sites;
  const named = sites?.find(({ host }) => host === view.site);
  const site = named ?? sites?.[0];
  const choose = (host: string) => setView({ site: host, page: null });
  // Decided once: the first steps continue after the first one, when a site exists.
  const [newcomer, setNewcomer] = useState<boolean | null>(null);
  if (newcomer === null && sites) setNewcomer(administers && sites.length === 0);
  useEffect(() => {
    document.title = site ? `${site.host} · Sextant` : 'Sextant';
  }, [site]);

  // A site in the URL that is not in the list may be newer than a list that could not be refetched.
  const isMissing = !sites || (view.site !== null && !named);
  if (error && isMissing) return <Failure again={again}>{error}</Failure>;
  if (!sites || (isAway && isMissing)) return <Waiting />;
  if (!site && !administers) {
    return (
      <Empty icon="globe" title="No site is registered yet">
        An administrator can register sites. Their traffic then appears here.
      </Empty>
    );
  }
  if (!site || newcomer) {
    const finish = (host: string) => {
      setNewcomer(false);
      choose(host);
    };
    const goToSamples = () => {
      again();
      setNewcomer(false);
    };
    return <TrafficFirstSteps onDone={finish} onSeeded={goToSamples} />;
  }
  return <SiteTraffic key={site.host} sites={sites} site={site} onSite={choose} />;
}

interface SiteTrafficProps {
  readonly sites: readonly Site[];
  readonly site: Site;
  readonly onSite: (host: string) => void;
}

function SiteTraffic({ sites, site, onSite }: SiteTrafficProps) {
  const [{ page, span }, setView] = useView();
  const known = useKnownPages(site.host);
  const most = known.pages?.[0]?.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once; the page stays when the ranking changes
  useEffect(() => {
    if (page === null && most !== undefined) setView({ site: site.host, page: most }, { replace: true });
  }, [page, most]);

  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <SitePicker sites={sites} site={site} onChoose={onSite} />
        <PagePicker pages={known.pages} page={page} onChoose={(chosen) => setView({ site: site.host, page: chosen })} />
        <div className={styles.span}>
          <SpanPicker span={span} onSpan={(next) => setView({ site: site.host, span: next })} />
        </div>
      </div>
      {page === null && known.pages?.length === 0 ? (
        <FirstHit site={site} onArrived={(first) => setView({ site: site.host, page: first }, { replace: true })} />
      ) : (
        <HitChartCard
          site={site.host}
          page={page}
          span={span}
          onSpan={(next) => setView({ site: site.host, span: next })}
        />
      )}
      <Columns first="1.25fr">
        <TopPagesCard
          site={site.host}
          page={page}
          span={span}
          onChoose={(chosen) => setView({ site: site.host, page: chosen })}
        />
        <ImportCard site={site.host} />
      </Columns>
    </div>
  );
}

const lastDay: Span = { kind: 'live', last: 'P1D', unit: 'HOUR' };

/** The empty state of a site: shows the snippet, and opens the chart on the first hit. */
function FirstHit({ site, onArrived }: { site: Site; onArrived: (page: string) => void }) {
  const first = useTopPages(site.host, lastDay, 1).pages?.[0]?.page;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on the first hit
  useEffect(() => {
    if (first !== undefined) onArrived(first);
  }, [first]);
  return (
    <section className={`card ${styles.waiting}`} aria-labelledby="first-hit">
      <h2 id="first-hit">Waiting for the first hit on {site.host}</h2>
      <SiteSnippet site={site} />
    </section>
  );
}

/** A placeholder with the layout of the page. */
function Waiting() {
  return (
    <div className={styles.page} role="status" aria-label="Loading">
      <div className={styles.bar}>
        <Skeleton width="180px" height="32px" />
        <Skeleton width="260px" height="32px" />
      </div>
      <Skeleton height="clamp(400px, 60vh, 660px)" />
      <div className={styles.columns}>
        <Skeleton height="420px" />
        <Skeleton height="420px" />
      </div>
    </div>
  );
}
