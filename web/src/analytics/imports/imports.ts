/** Imports of a site's logs: the list, the progress of one, and undoing one. */
import { graphql } from '../../../generated/gql.js';
import type { LogImportChangedSubscription, LogImportFieldsFragment } from '../../../generated/graphql.js';
import { client, explainError } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { isMoving } from '../../kit/display/work-state.js';
import { useRefresh } from '../sites/refresh.js';
import { addSample, type ImportRate, type ImportSample, rateOf } from './import-rate.js';

export type LogImport = LogImportFieldsFragment;

export const LogImportFields = graphql(`
  fragment LogImportFields on LogImport {
    id site state fileName progress lines imported hits rejected startedAt finishedAt failure delay
  }
`);

const LogImportsDocument = graphql(`
  query LogImports($site: String!, $first: Int!) {
    logImports(site: $site, first: $first) {
      edges { cursor node { ...LogImportFields } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const LogImportChangedDocument = graphql(`
  subscription LogImportChanged($id: ID!, $after: String) {
    logImportChanged(id: $id, after: $after) { __typename cursor reset import { ...LogImportFields } }
  }
`);

const UndoLogImportDocument = graphql(`
  mutation UndoLogImport($id: ID!) {
    undoLogImport(id: $id) {
      __typename
      ... on LogImport { ...LogImportFields }
      ... on Refusal { message }
    }
  }
`);

/** Others may import too, from the command line or another dashboard. */
const REFRESH_MS = 10_000;

/** @param first the number of imports, newest first; at most 100 */
export function useImports(site: string, first: number) {
  const { data, error, again } = useData(LogImportsDocument, { site, first });
  useRefresh(again, REFRESH_MS);
  return {
    imports: data?.logImports.edges.map(({ node }) => node) ?? null,
    more: data?.logImports.pageInfo.hasNextPage ?? false,
    error,
    again,
  };
}

interface Progress {
  readonly now: LogImport;
  readonly samples: readonly ImportSample[];
}

const addEvent = (before: Progress | null, { import: now }: EventOf<LogImportChangedSubscription>): Progress => ({
  now,
  samples: addSample(before?.samples ?? [], { at: Date.now(), lines: now.lines, done: now.progress ?? 0 }),
});

export interface FollowedImport extends ImportRate {
  readonly now: LogImport;
}

/** Follows an import while it runs. @param listed the import from the list */
export function useImport(listed: LogImport): FollowedImport {
  const { state } = useLive(LogImportChangedDocument, isMoving(listed.state) ? { id: listed.id } : null, addEvent);
  return { now: state?.now ?? listed, ...rateOf(state?.samples ?? []) };
}

/** @returns why it was refused, or null */
export async function undoImport(id: string): Promise<string | null> {
  const { data, error } = await client.mutation(UndoLogImportDocument, { id }).toPromise();
  if (!data) return error ? explainError(error) : 'The server did not respond.';
  return data.undoLogImport.__typename === 'LogImport' ? null : data.undoLogImport.message;
}
