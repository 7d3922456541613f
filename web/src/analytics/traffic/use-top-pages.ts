/** The pages with the most hits: live if the span is live and short enough for a subscription, otherwise by query. */
import { graphql } from '../../../generated/gql.js';
import type { TopPagesChangedSubscription } from '../../../generated/graphql.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { DAY_MS } from '../chart/slots.js';
import { useRefresh } from '../sites/refresh.js';
import { useCurrentSlot } from './use-hit-chart.js';
import { presetOf, type Span } from './view.js';

const TopPagesChangedDocument = graphql(`
  subscription TopPagesChanged($site: String!, $last: Duration!, $first: Int!, $after: String) {
    topPagesChanged(site: $site, last: $last, first: $first, after: $after) {
      __typename
      cursor
      reset
      pages { page count }
    }
  }
`);

const TopPagesDocument = graphql(`
  query TopPages($site: String!, $range: DateRange!, $first: Int!) {
    topPages(site: $site, range: $range, first: $first) { page count }
  }
`);

const LIVE_MAX_MS = 31 * DAY_MS;
const REFRESH_MS = 30_000;

export interface PageHits {
  readonly page: string;
  readonly count: number;
}

export interface TopPages {
  /** Null while they are loading. */
  readonly pages: readonly PageHits[] | null;
  readonly live: boolean;
  readonly error: string | null;
}

const takePages = (_before: readonly PageHits[] | null, event: EventOf<TopPagesChangedSubscription>) => event.pages;

export function useTopPages(site: string, span: Span, first: number): TopPages {
  const live = span.kind === 'live' && presetOf(span.last).ms <= LIVE_MAX_MS;
  const range = useRangeOf(span);
  const followed = useLive(TopPagesChangedDocument, live ? { site, last: span.last, first } : null, takePages);
  const asked = useTopPagesBetween(site, live ? null : range, first);
  return live ? { pages: followed.state, live, error: followed.refused } : { ...asked, live };
}

/** A live span that is too long to follow moves once a day, and is refetched in between. */
function useRangeOf(span: Span): { from: number; to: number } {
  const today = useCurrentSlot('DAY');
  if (span.kind === 'fixed') return span;
  return { from: today + DAY_MS - presetOf(span.last).ms, to: today + DAY_MS };
}

function useTopPagesBetween(site: string, range: { from: number; to: number } | null, first: number) {
  const { data, error, again } = useData(
    TopPagesDocument,
    range && { site, first, range: { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() } },
  );
  useRefresh(again, REFRESH_MS);
  return { pages: data?.topPages ?? null, error };
}

const EVER_FROM_MS = Date.UTC(1995, 0, 1);
const EVER_MAX = 200;

/** The pages of a site by all-time hits, at most 200. */
export function useKnownPages(site: string): Omit<TopPages, 'live'> {
  const today = useCurrentSlot('DAY');
  return useTopPagesBetween(site, { from: EVER_FROM_MS, to: today + DAY_MS }, EVER_MAX);
}
