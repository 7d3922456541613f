/** Exports of statistics: background work that writes those of a campaign or a zone as comma-separated values. */
import type { Db } from 'mongodb';
import { toGlobalId } from '../../shared/global-id.js';
import type { DateRange } from '../../shared/time.js';
import type { WorkKindDeclaration } from '../domain.js';
import { makeDownloadKey } from '../system/work/data-export.js';
import { type ExportLine, writeExport } from '../system/work/export-file.js';
import { startWork } from '../system/work/work-start.js';
import type { WorkDocument } from '../work.js';
import { adUnits } from './campaigns/ad-unit.js';
import { countsOfUnits, findCounts, requireStatsRange, type Subject, subjectOf } from './stats/ad-stats.js';

interface StatsExportInput {
  /** Or the zone. */
  readonly campaign?: string;
  readonly zone?: string;
  readonly from: Date;
  readonly to: Date;
}

const CAMPAIGN_HEADER = 'hour,ad_unit,headline,impressions,clicks,conversions,conversion_value,spent_thousandths\n';
const ZONE_HEADER = 'hour,decisions,filled,impressions,clicks,conversions,conversion_value,earned_thousandths\n';

export const statsExport: WorkKindDeclaration<object> = {
  name: 'ad-stats-export',
  type: 'DataExport',

  async run(held) {
    const { campaign = '', zone, from, to } = held.work.input as StatsExportInput;
    const progress: Progress = { reached: (held.work.position as Position | undefined)?.reached };
    const { db } = held;
    const lines =
      zone === undefined
        ? linesOfCampaign(db, campaign, { from, to }, progress)
        : linesOfZone(db, zone, { from, to }, progress);
    await writeExport(held, lines, () => ({ reached: progress.reached }));
  },
};

/**
 * The place of the last line; of a zone, only the hour counts. What is counted later for an hour that comes before it moves no line, and is
 * in the next export.
 */
interface Place {
  readonly date: Date;
  readonly unit: string;
  readonly at: Date;
}

interface Position {
  readonly reached?: Place;
}

interface Progress {
  reached: Place | undefined;
}

/** The lines from the progress on, which it follows. In the order of days, units and hours. */
async function* linesOfCampaign(
  db: Db,
  campaign: string,
  range: DateRange,
  progress: Progress,
): AsyncGenerator<ExportLine> {
  const { reached } = progress;
  if (!reached) yield { line: CAMPAIGN_HEADER, isRow: false };
  const units = await adUnits(db).find({ campaign_id: campaign }).toArray();
  const headlines = new Map(units.map(({ _id, headline = '' }) => [_id, cellOf(headline)]));
  for await (const { unit, date, at, counts } of countsOfUnits(db, campaign, range)) {
    const place = { date, unit, at };
    if (reached && !isAfter(place, reached)) continue;
    const { impressions, clicks, conversions, value, spent } = counts;
    const named = [toGlobalId('AdUnit', unit), headlines.get(unit) ?? ''];
    const fields = [at.toISOString(), ...named, impressions, clicks, conversions, value, spent];
    progress.reached = place;
    yield { line: `${fields.join(',')}\n`, isRow: true };
  }
}

/** The same, in the order of hours: 9,600 at most. */
async function* linesOfZone(db: Db, zone: string, range: DateRange, progress: Progress): AsyncGenerator<ExportLine> {
  const { reached } = progress;
  if (!reached) yield { line: ZONE_HEADER, isRow: false };
  const hours = [...(await findCounts(db, subjectOf('zone', zone), range))].sort(([one], [other]) => one - other);
  for (const [hour, counts] of hours) {
    const at = new Date(hour);
    if (reached && at <= reached.at) continue;
    const { decisions, filled, impressions, clicks, conversions, value, spent } = counts;
    const fields = [at.toISOString(), decisions, filled, impressions, clicks, conversions, value, spent];
    progress.reached = { date: at, unit: '', at };
    yield { line: `${fields.join(',')}\n`, isRow: true };
  }
}

function isAfter(one: Place, other: Place): boolean {
  const days = one.date.getTime() - other.date.getTime();
  if (days !== 0) return days > 0;
  return one.unit === other.unit ? one.at > other.at : one.unit > other.unit;
}

/** A text in quotes. After an apostrophe if a spreadsheet would take it for a formula: headlines are written by others than the reader. */
const cellOf = (text: string): string => `"${/^\s*[=+\-@]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;

export interface StatsExportRequest {
  readonly id: string;
  /** A campaign or a zone. */
  readonly subject: Pick<Subject, 'kind' | 'id'>;
  readonly range: DateRange;
  readonly owner: string;
}

/** @throws InputError @throws LimitError the range is too long, or the owner has too much work that has not ended */
export function startStatsExport(
  db: Db,
  { id, subject, range, owner }: StatsExportRequest,
  now: Date,
): Promise<WorkDocument> {
  const { from, to } = requireStatsRange(range);
  const input: StatsExportInput = { [subject.kind]: subject.id, from, to };
  const file = { name: `${subject.kind}-statistics.csv`, bytes: 0 };
  return startWork(db, { id, kind: statsExport, owner, input, file, downloadKey: makeDownloadKey() }, now);
}
