/** Exports of statistics: files that the server writes in the background. */
import { useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { DataExportFieldsFragment, StatsExportChangedSubscription } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { useLive } from '../../api/use-live.js';
import { latestRange, rangeOf } from './stats-range.js';
import type { ZoneName } from './zones.js';

const ExportCampaignStatsDocument = graphql(`
  mutation ExportCampaignStats($id: ID!, $range: DateRange!) {
    exportCampaignStats(id: $id, range: $range) { ...DataExportFields }
  }
`);

const ExportZoneStatsDocument = graphql(`
  mutation ExportZoneStats($site: String!, $zone: String!, $range: DateRange!) {
    exportZoneStats(site: $site, zone: $zone, range: $range) { ...DataExportFields }
  }
`);

const StatsExportChangedDocument = graphql(`
  subscription StatsExportChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { __typename ...DataExportFields } }
  }
`);

export type StatsExport = DataExportFieldsFragment;

interface Followed {
  readonly work: StatsExport | null;
}

const latest = (before: Followed | null, { work }: EventOf<StatsExportChangedSubscription>): Followed => ({
  work: work.__typename === 'DataExport' ? work : (before?.work ?? null),
});

/** @returns why it was refused, or the export */
export async function exportCampaign(id: string, flight: { readonly from: string }): Promise<string | StatsExport> {
  const answer = await mutate(ExportCampaignStatsDocument, { id, range: rangeOf(flight, Date.now()) });
  return typeof answer === 'string' ? answer : answer.exportCampaignStats;
}

/** @returns why it was refused, or the export */
export async function exportZone({ site, zone }: ZoneName): Promise<string | StatsExport> {
  const answer = await mutate(ExportZoneStatsDocument, { site, zone, range: latestRange(Date.now()) });
  return typeof answer === 'string' ? answer : answer.exportZoneStats;
}

/** The export that the viewer has begun on this page, and what begins one. */
export function useStatsExport(start: () => Promise<string | StatsExport>) {
  const [begun, setBegun] = useState<StatsExport | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { state } = useLive(StatsExportChangedDocument, begun && { id: begun.id }, latest);
  const begin = async () => {
    setBusy(true);
    const answer = await start();
    setBusy(false);
    setRefusal(typeof answer === 'string' ? answer : null);
    if (typeof answer !== 'string') setBegun(answer);
  };
  return { work: state?.work ?? begun, busy, refusal, begin };
}
