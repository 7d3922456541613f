/** The request log of a site: all its requests, newest first. */
import { useCallback, useState } from 'react';
import type { EventFilter } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { SiteHostsDocument } from '../sites/site-hosts.js';
import { ExplainFold } from './explain-fold.js';
import { Filters } from './filters.js';
import { RequestGrid } from './request-grid.js';
import type { LogRequest } from './request-list.js';
import { RequestModal } from './request-modal.js';
import { countNarrowings, everything, filterOf, useRequestView } from './view.js';

const nothing = {};
const ofSites = { additionalTypenames: ['Site'] };

export function RequestsPage() {
  const answer = useData(SiteHostsDocument, nothing, ofSites);
  const [view, onView] = useRequestView();
  const hosts = answer.data?.sites.map(({ host }) => host);
  const site = hosts?.find((host) => host === view.site) ?? hosts?.[0];
  if (!hosts) return <Waiting {...answer} rows={8} height="64px" />;
  if (site === undefined) {
    return (
      <section className="card">
        <Empty icon="globe" title="No site is registered yet" action={<Link href="/">Go to the charts</Link>}>
          To see requests, register a site there and import its log.
        </Empty>
      </section>
    );
  }
  const filter = filterOf(view, site);
  return (
    <>
      <Filters hosts={hosts} site={site} view={view} onView={onView} />
      <Requests
        key={JSON.stringify(filter)}
        filter={filter}
        narrowed={countNarrowings(view) > 0}
        onNarrow={onView}
        onAll={() => onView(everything)}
      />
    </>
  );
}

interface RequestsProps {
  readonly filter: EventFilter;
  readonly narrowed: boolean;
  readonly onNarrow: (by: Record<string, string>) => void;
  readonly onAll: () => void;
}

function Requests({ filter, narrowed, onNarrow, onAll }: RequestsProps) {
  const [opened, setOpened] = useState<LogRequest | null>(null);
  const [empty, setEmpty] = useState(false);
  /** How often the list was restarted. */
  const [renewals, setRenewals] = useState(0);
  const tellEmpty = useCallback(() => setEmpty(true), []);
  return (
    <>
      <section className="card" aria-label="Requests">
        {empty ? (
          <Nothing site={filter.site} narrowed={narrowed} onAll={onAll} />
        ) : (
          <RequestGrid
            key={renewals}
            filter={filter}
            onOpen={setOpened}
            onEmpty={tellEmpty}
            onRenew={() => setRenewals(renewals + 1)}
          />
        )}
      </section>
      <ExplainFold filter={filter} />
      {opened && (
        <RequestModal
          request={opened}
          onNarrow={(by, value) => onNarrow({ [by]: value })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

function Nothing({ site, narrowed, onAll }: { site: string; narrowed: boolean; onAll: () => void }) {
  if (narrowed) {
    const action = (
      <button type="button" className="button" onClick={onAll}>
        Show all
      </button>
    );
    return (
      <Empty icon="search" title="No matching requests" action={action}>
        Path and client must match exactly, including the query string.
      </Empty>
    );
  }
  return (
    <Empty icon="file" title={`No requests to ${site} yet`} action={<Link href={`/?site=${site}`}>Import a log</Link>}>
      Drop its access log on the charts page. Programs record requests with the recordEvents mutation.
    </Empty>
  );
}
