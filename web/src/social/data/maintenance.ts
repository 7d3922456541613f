/** What administrators do for the whole network: importing one, and rebuilding somebody's news. Both run in the background. */
import { graphql } from '../../../generated/gql.js';
import type { NetworkWorkChangedSubscription, RejectedNetworkRowsQuery } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { sendFile } from '../../api/upload.js';
import { useLive } from '../../api/use-live.js';

export const NetworkWork = graphql(`
  fragment NetworkWork on BackgroundWork {
    __typename
    id state done total startedAt finishedAt failure
    ... on DataImport { fileName imported skipped rejected }
    ... on NewsRebuild { wrong }
  }
`);

const NetworkWorkChangedDocument = graphql(`
  subscription NetworkWorkChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { ...NetworkWork } }
  }
`);

const ImportNetworkDocument = graphql(`
  mutation ImportNetwork($file: Upload!, $source: String!) {
    importNetwork(file: $file, input: { source: $source }) {
      __typename
      ... on DataImport { id }
      ... on Refusal { message }
    }
  }
`);

const RebuildNewsDocument = graphql(`
  mutation RebuildNews($person: ID!) { rebuildNews(userId: $person) { id } }
`);

export const RejectedNetworkRowsDocument = graphql(`
  query RejectedNetworkRows($id: ID!, $first: Int!, $after: String) {
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

export const importOf = ({ node }: RejectedNetworkRowsQuery) => (node?.__typename === 'DataImport' ? node : null);

type Event = EventOf<NetworkWorkChangedSubscription>;

const latest = (_before: Event['work'] | null, { work }: Event): Event['work'] => work;

/** Follows work while it runs. @param id null: there is none */
export function useNetworkWork(id: string | null) {
  const { state, refused } = useLive(NetworkWorkChangedDocument, id === null ? null : { id }, latest);
  return { work: state, refused };
}

/** What was started, or why it was not. */
type Started = Promise<{ readonly id: string } | string>;

export async function importNetwork(file: File, source: string, onProgress: (share: number) => void): Started {
  const answer = await sendFile(ImportNetworkDocument, { file, source }, { onProgress });
  if (typeof answer === 'string') return answer;
  const { importNetwork: outcome } = answer;
  return outcome.__typename === 'DataImport' ? outcome : `${outcome.message}.`;
}

export async function rebuildNews(person: string): Started {
  const answer = await mutate(RebuildNewsDocument, { person });
  return typeof answer === 'string' ? answer : answer.rebuildNews;
}
