/** The export of the viewer's data, and what becomes of data when an account is deleted. */
import { useEffect } from 'react';
import { graphql } from '../../generated/gql.js';
import type { DataExportFieldsFragment, MyDataChangedSubscription } from '../../generated/graphql.js';
import { mutate } from '../api/client.js';
import type { EventOf } from '../api/subscription.js';
import { useData } from '../api/use-data.js';
import { useLive } from '../api/use-live.js';
import { isMoving } from '../kit/display/work-state.js';

export type OwnExport = DataExportFieldsFragment;

export const DataExportFields = graphql(`
  fragment DataExportFields on DataExport {
    id state done failure url bytes expiresAt
  }
`);

const MyDataExportDocument = graphql(`
  query MyDataExport { myDataExport { ...DataExportFields } }
`);

const ExportMyDataDocument = graphql(`
  mutation ExportMyData { exportMyData { ...DataExportFields } }
`);

const MyDataChangedDocument = graphql(`
  subscription MyDataChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { __typename ...DataExportFields } }
  }
`);

export const ErasureRulesDocument = graphql(`
  query ErasureRules { erasureRules { domain data becomes reason } }
`);

const nothing = {};
const ofExports = { additionalTypenames: ['DataExport'] };

interface Followed {
  readonly work: OwnExport | null;
}

const latest = (before: Followed | null, { work }: EventOf<MyDataChangedSubscription>): Followed => ({
  work: work.__typename === 'DataExport' ? work : (before?.work ?? null),
});

/** The latest export, followed while it runs. */
export function useOwnExport() {
  const { data, error, again } = useData(MyDataExportDocument, nothing, ofExports);
  const listed = data?.myDataExport ?? null;
  const isListedMoving = listed !== null && isMoving(listed.state);
  const { state } = useLive(MyDataChangedDocument, isListedMoving ? { id: listed.id } : null, latest);
  const own = state?.work ?? listed;
  const hasEnded = isListedMoving && own !== null && !isMoving(own.state);
  useEffect(() => {
    if (hasEnded) again();
  }, [hasEnded, again]);
  return { isKnown: data !== null, own, error, again };
}

/** @returns why it was refused, or null */
export async function exportMyData(): Promise<string | null> {
  const answer = await mutate(ExportMyDataDocument, {});
  return typeof answer === 'string' ? answer : null;
}
