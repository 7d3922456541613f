/** Worlds from files and into files. Both run in the background. */
import { graphql } from '../../../../generated/gql.js';
import type {
  ImportWorldInput,
  RejectedWorldRowsQuery,
  WorldFormat,
  WorldWorkChangedSubscription,
} from '../../../../generated/graphql.js';
import { mutate } from '../../../api/client.js';
import type { EventOf } from '../../../api/subscription.js';
import { sendFile } from '../../../api/upload.js';
import { useLive } from '../../../api/use-live.js';
import { asSentence } from '../../parts/sentence.js';

export type WorldWork = EventOf<WorldWorkChangedSubscription>['work'];

const WorldWorkChangedDocument = graphql(`
  subscription WorldWorkChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) {
      __typename cursor reset
      work {
        __typename id state done total failure
        ... on DataImport { fileName imported skipped rejected }
        ... on DataExport { fileName url bytes expiresAt }
      }
    }
  }
`);

const ImportWorldDocument = graphql(`
  mutation ImportWorld($file: Upload!, $input: ImportWorldInput!) {
    importWorld(file: $file, input: $input) {
      __typename
      ... on DataImport { id }
      ... on Refusal { message }
    }
  }
`);

const ExportWorldDocument = graphql(`
  mutation ExportWorld { exportWorld { id } }
`);

export const RejectedWorldRowsDocument = graphql(`
  query RejectedWorldRows($id: ID!, $first: Int!, $after: String) {
    node(id: $id) {
      __typename
      id
      ... on DataImport {
        rejected
        rejectReasons { reason count }
        rejects(first: $first, after: $after) {
          edges { cursor node { line reason field raw } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

export const importOf = ({ node }: RejectedWorldRowsQuery) => (node?.__typename === 'DataImport' ? node : null);

const latest = (_before: WorldWork | null, { work }: EventOf<WorldWorkChangedSubscription>): WorldWork => work;

/** Follows work while it runs. @param id null: there is none */
export function useWorldWork(id: string | null) {
  const { state, refused } = useLive(WorldWorkChangedDocument, id === null ? null : { id }, latest);
  return { work: state, refused };
}

/** What was started, or why it was not. */
type Started = Promise<{ readonly id: string } | string>;

export async function importWorld(file: File, input: ImportWorldInput, onProgress: (share: number) => void): Started {
  const answer = await sendFile(ImportWorldDocument, { file, input }, { onProgress });
  if (typeof answer === 'string') return answer;
  const { importWorld: outcome } = answer;
  return outcome.__typename === 'DataImport' ? outcome : asSentence(outcome.message);
}

export async function exportWorld(): Started {
  const answer = await mutate(ExportWorldDocument, {});
  return typeof answer === 'string' ? answer : answer.exportWorld;
}

export const formats: readonly { readonly value: WorldFormat; readonly name: string; readonly meaning: string }[] = [
  { value: 'JSON_LINES', name: 'Sextant', meaning: 'JSON lines, as the export writes them.' },
  { value: 'OPEN_ADVENTURE', name: 'Open Adventure', meaning: 'Its rooms, objects and motions as JSON lines.' },
  { value: 'RANVIER', name: 'Ranvier', meaning: 'Its areas as JSON lines.' },
  { value: 'ARCHITEXT', name: 'Architext', meaning: 'A world as JSON.' },
];
