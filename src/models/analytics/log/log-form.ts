/** How a request is stored in a segment: the same document everywhere, plus what time-series collections and fenced batches need. Pure. */
import type { Document, Filter } from 'mongodb';
import type { RequestFields } from '../log-growth/log-segment.js';
import { isTimeSeries, type LogEventDocument, type LogSegment } from '../log-growth/log-segment.js';

/** A batch of an import in a segment without transactions. */
export interface LooseBatch {
  readonly import: string;
  readonly first_line: number;
  /** The token of the lease under which it was stored, which identifies writes made after the lease was lost. */
  readonly token: number;
}

/** The form in a time-series collection. Deletes can only use the meta field, so it identifies the batch. */
interface Measurement extends RequestFields {
  readonly _id: string;
  readonly meta: { readonly site: string } & Partial<LooseBatch>;
}

/** The form in a capped collection. */
interface TokenedEvent extends LogEventDocument {
  readonly token: number;
}

export type StoredEvent = LogEventDocument | Measurement | TokenedEvent;

export function toStored(segment: LogSegment, event: LogEventDocument, batch?: LooseBatch): StoredEvent {
  if (!isTimeSeries(segment)) return batch ? { ...event, token: batch.token } : event;
  const { site, import: _import, ...measured } = event;
  return { ...measured, meta: { site, ...batch } };
}

export function fromStored(stored: StoredEvent): LogEventDocument {
  if ('meta' in stored) {
    const { meta, ...fields } = stored;
    return { ...fields, site: meta.site, ...(meta.import === undefined ? {} : { import: meta.import }) };
  }
  if (!('token' in stored)) return stored;
  const { token: _token, ...event } = stored;
  return event;
}

/** A filter for requests in the form that the segment stores. */
export function storedFilter(segment: LogSegment, filter: Filter<LogEventDocument>): Document {
  if (!isTimeSeries(segment)) return filter;
  const { site, ...rest } = filter;
  return { 'meta.site': site, ...rest };
}
