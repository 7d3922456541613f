/** The filters of the request log. They are kept in the URL, as typed. */
import type { EventFilter } from '../../../generated/graphql.js';
import { navigate, useLocation } from '../../kit/base/location.js';

const fields = ['path', 'host', 'status', 'from', 'to'] as const;
export type Field = (typeof fields)[number];

/** The site and its filters; empty texts do not filter. `from` and `to` are in `datetime-local` format, in UTC. */
export type RequestView = Readonly<Record<Field | 'site', string>>;

export const everything = { path: '', host: '', status: '', from: '', to: '' } as const satisfies Record<Field, string>;

/** No log has requests outside these bounds: the API takes a range with both ends or none. */
const EARLIEST = '1970-01-01T00:00';
const LATEST = '2200-01-01T00:00';

/** Parses `404`, or a class such as `4xx`. Null if it is neither. */
export function readStatus(text: string): Pick<EventFilter, 'status' | 'statusClass'> | null {
  if (text === '') return {};
  if (/^[1-9]xx$/i.test(text)) return { statusClass: Number(text[0]) };
  return /^[1-9]\d\d$/.test(text) ? { status: Number(text) } : null;
}

const momentOf = (text: string) => new Date(`${text}Z`).toISOString();

/** The number of active filters. */
export const countNarrowings = (view: RequestView) => fields.filter((field) => view[field] !== '').length;

/** The filter to send. An invalid field is ignored, so that the list stays while the user types. */
export function filterOf({ path, host, status, from, to }: RequestView, site: string): EventFilter {
  const range = { from: from || EARLIEST, to: to || LATEST };
  return {
    site,
    ...(path && { path }),
    ...(host && { host }),
    ...readStatus(status),
    ...((from || to) && range.from < range.to && { range: { from: momentOf(range.from), to: momentOf(range.to) } }),
  };
}

/** A URL may be edited by hand: an invalid moment is ignored. */
function readMoment(text: string | null): string {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString().slice(0, 16);
}

function readView(query: URLSearchParams): RequestView {
  const text = (name: string) => query.get(name) ?? '';
  return {
    site: text('site'),
    path: text('path'),
    host: text('host'),
    status: text('status'),
    from: readMoment(query.get('from')),
    to: readMoment(query.get('to')),
  };
}

function writeView(view: RequestView): string {
  const query = new URLSearchParams();
  for (const [name, text] of Object.entries(view)) {
    if (text) query.set(name, name === 'from' || name === 'to' ? `${text}Z` : text);
  }
  return `/traffic/requests?${query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** The view in the URL, and a function that changes parts of it. */
export function useRequestView(): [
  RequestView,
  (change: Partial<RequestView>, options?: { replace: boolean }) => void,
] {
  const view = readView(useLocation().query);
  return [view, (change, options) => navigate(writeView({ ...view, ...change }), options)];
}
