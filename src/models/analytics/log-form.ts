/** How a request is stored in a segment: the same document everywhere, but for what time-series and fenced batches need besides. Pure. */
import type { Document, Filter } from 'mongodb';
import type { RequestFields } from './log-line.js';
import { isTimeSeries, type LogEventDocument, type LogSegment } from './log-segment.js';

/** A batch of an import in a segment without transactions. */
export interface LooseBatch {
  readonly import: string;
  readonly first_line: number;
  /** Of the lease under which it was stored: who lost the lease and wrote all the same is told apart. */
  readonly token: number;
}

/** As a time-series has it. Deletes go by the meta field alone, so it names the batch. */
interface Measurement extends RequestFields {
  readonly _id: string;
  readonly meta: { readonly site: string } & Partial<LooseBatch>;
}

/** As a capped collection has it. */
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

/** A filter of requests as the segment has them. */
export function storedFilter(segment: LogSegment, filter: Filter<LogEventDocument>): Document {
  if (!isTimeSeries(segment)) return filter;
  const { site, ...rest } = filter;
  return { 'meta.site': site, ...rest };
}
