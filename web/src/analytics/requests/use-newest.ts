/** The newest request that matches a filter. Polled, since the log has no subscription. */
import type { EventFilter } from '../../../generated/graphql.js';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { EventsDocument, type LogRequest } from './request-list.js';

const POLL_MS = 10_000;

export function useNewest(filter: EventFilter): LogRequest | null {
  const { data, again } = useData(EventsDocument, { filter, first: 1 });
  usePolling(again, POLL_MS);
  return data?.events.edges[0]?.node ?? null;
}
