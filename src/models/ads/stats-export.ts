/** Exports of statistics: background work that writes those of a campaign as comma-separated values. */
import type { Db } from 'mongodb';
import { toGlobalId } from '../../shared/global-id.js';
import type { DateRange } from '../../shared/time.js';
import type { WorkKindDeclaration } from '../domain.js';
import { makeDownloadKey } from '../system/work/data-export.js';
import { type ExportLine, writeExport } from '../system/work/export-file.js';
import { startWork } from '../system/work/work-start.js';
import type { WorkDocument } from '../work.js';
import { adUnits } from './campaigns/ad-unit.js';
import { countsOfUnits, requireStatsRange } from './stats/ad-stats.js';

interface StatsExportInput {
  readonly campaign: string;
  readonly from: Date;
  readonly to: Date;
}

const HEADER = 'hour,ad_unit,headline,impressions,clicks,conversions,conversion_value,spent_thousandths\n';

export const statsExport: WorkKindDeclaration<object> = {
  name: 'ad-stats-export',
  type: 'DataExport',

  async run(held) {
    const { campaign, from, to } = held.work.input as StatsExportInput;
    const reached = (held.work.position as { readonly lines?: number } | undefined)?.lines ?? 0;
    let lines = 0;
    await writeExport(
      held,
      (async function* () {
        for await (const line of linesOf(held.db, campaign, { from, to })) {
          lines += 1;
          if (lines > reached) yield line;
        }
      })(),
      () => ({ lines }),
    );
  },
};

/** In the order of days and hours: what was counted for past hours does not move lines. */
async function* linesOf(db: Db, campaign: string, range: DateRange): AsyncGenerator<ExportLine> {
  yield { line: HEADER, isRow: false };
  const units = await adUnits(db).find({ campaign_id: campaign }).toArray();
  const headlines = new Map(units.map(({ _id, headline = '' }) => [_id, cellOf(headline)]));
  for await (const { unit, at, counts } of countsOfUnits(db, campaign, range)) {
    const { impressions, clicks, conversions, value, spent } = counts;
    const named = [toGlobalId('AdUnit', unit), headlines.get(unit) ?? ''];
    const fields = [at.toISOString(), ...named, impressions, clicks, conversions, value, spent];
    yield { line: `${fields.join(',')}\n`, isRow: true };
  }
}

/** A text in quotes. After an apostrophe if a spreadsheet would take it for a formula: headlines are written by others than the reader. */
const cellOf = (text: string): string => `"${/^\s*[=+\-@]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;

export interface StatsExportRequest {
  readonly id: string;
  readonly campaign: string;
  readonly range: DateRange;
  readonly owner: string;
}

/** @throws InputError @throws LimitError the range is too long, or the owner has too much work that has not ended */
export function startStatsExport(
  db: Db,
  { id, campaign, range, owner }: StatsExportRequest,
  now: Date,
): Promise<WorkDocument> {
  const { from, to } = requireStatsRange(range);
  const input: StatsExportInput = { campaign, from, to };
  const file = { name: 'campaign-statistics.csv', bytes: 0 };
  return startWork(db, { id, kind: statsExport, owner, input, file, downloadKey: makeDownloadKey() }, now);
}
