/** The export of a campaign's statistics: a file that the server writes in the background. */
import { useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { DataExportFieldsFragment, StatsExportChangedSubscription } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { useLive } from '../../api/use-live.js';
import { rangeOf } from './stats-range.js';

const ExportCampaignStatsDocument = graphql(`
  mutation ExportCampaignStats($id: ID!, $range: DateRange!) {
    exportCampaignStats(id: $id, range: $range) { ...DataExportFields }
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

/** The export that the viewer has begun on this page, and what begins one. */
export function useStatsExport(campaign: string, flight: { readonly from: string }) {
  const [begun, setBegun] = useState<StatsExport | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { state } = useLive(StatsExportChangedDocument, begun && { id: begun.id }, latest);
  const begin = async () => {
    setBusy(true);
    const range = rangeOf(flight, Date.now());
    const answer = await mutate(ExportCampaignStatsDocument, { id: campaign, range });
    setBusy(false);
    setRefusal(typeof answer === 'string' ? answer : null);
    if (typeof answer !== 'string') setBegun(answer.exportCampaignStats);
  };
  return { work: state?.work ?? begun, busy, refusal, begin };
}
