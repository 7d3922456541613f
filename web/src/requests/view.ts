/** Which requests are looked at. It stands in the address, as it was typed. */
import type { EventFilter } from '../../generated/graphql.js';
import { navigate, useLocation } from '../location.js';

const fields = ['path', 'host', 'status', 'from', 'to'] as const;
export type Field = (typeof fields)[number];

/** The site, and what narrows its requests; empty texts narrow nothing. `from` and `to` are moments as `datetime-local` has them, in UTC. */
export type RequestView = Readonly<Record<Field | 'site', string>>;

export const everything = { path: '', host: '', status: '', from: '', to: '' } as const satisfies Record<Field, string>;

/** No log has requests outside of these: the API takes a range with two ends or none. */
const EARLIEST = '1970-01-01T00:00';
const LATEST = '2200-01-01T00:00';

export const isStatus = (text: string) => /^[1-9]\d\d$/.test(text);

const momentOf = (text: string) => new Date(`${text}Z`).toISOString();

/** How many fields narrow the choice. */
export const countNarrowings = (view: RequestView) => fields.filter((field) => view[field] !== '').length;

/** @returns null when it cannot be asked for: the stretch ends before it begins, or the status is none */
export function filterOf({ path, host, status, from, to }: RequestView, site: string): EventFilter | null {
  const range = { from: from || EARLIEST, to: to || LATEST };
  if (range.from >= range.to || (status !== '' && !isStatus(status))) return null;
  return {
    site,
    ...(path && { path }),
    ...(host && { host }),
    ...(status && { status: Number(status) }),
    ...((from || to) && { range: { from: momentOf(range.from), to: momentOf(range.to) } }),
  };
}

/** An address may be written by hand: what is no moment is left out. */
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

/** The view of the address, and how to change a part of it. */
export function useRequestView(): [
  RequestView,
  (change: Partial<RequestView>, options?: { replace: boolean }) => void,
] {
  const view = readView(useLocation().query);
  return [view, (change, options) => navigate(writeView({ ...view, ...change }), options)];
}
