/** Background work of all domains: what the list shows, following one piece, undoing and repeating it. */
import { useEffect } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { WorkChangedSubscription, WorkFieldsFragment } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { useLive } from '../../api/use-live.js';
import { isMoving } from '../../kit/display/work-state.js';
import { undoSeed } from '../../shell/seed/seeds.js';

export type Work = WorkFieldsFragment;

/** Types of other domains are left out: their domain may be off. Their work shows with what all work has. */
export const WorkFields = graphql(`
  fragment WorkFields on BackgroundWork {
    __typename
    id state done total startedAt finishedAt failure
    ... on DataImport { fileName imported skipped rejected }
    ... on DataExport { fileName url bytes expiresAt }
    ... on Seed { domain kept }
  }
`);

export const BackgroundWorkDocument = graphql(`
  query BackgroundWork($state: WorkState, $own: Boolean!, $first: Int!, $after: String) {
    backgroundWork(state: $state, own: $own, first: $first, after: $after) {
      edges { cursor node { ...WorkFields } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const RejectedRowsDocument = graphql(`
  query RejectedRows($id: ID!, $first: Int!, $after: String) {
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

const WorkChangedDocument = graphql(`
  subscription WorkChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { ...WorkFields } }
  }
`);

const UndoImportDocument = graphql(`
  mutation UndoImport($id: ID!) {
    undoImport(id: $id) {
      __typename
      ... on DataImport { ...WorkFields }
      ... on Refusal { message }
    }
  }
`);

const latest = (_before: Work | null, { work }: EventOf<WorkChangedSubscription>): Work => work;

/**
 * Follows work until it has ended.
 * @param follows false: shows it as it was listed
 * @param onEnd called when it has ended
 */
export function useWork(listed: Work, follows: boolean, onEnd: () => void): Work {
  const { state } = useLive(WorkChangedDocument, follows && isMoving(listed.state) ? { id: listed.id } : null, latest);
  const work = state ?? listed;
  const hasEnded = isMoving(listed.state) && !isMoving(work.state);
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded, onEnd]);
  return work;
}

/** Null while it is unknown. */
export const shareOf = ({ done, total }: Pick<Work, 'done' | 'total'>): number | null =>
  total ? Math.min(1, done / total) : null;

/** What it is, for a heading. A type that this page does not know shows the words of its name. */
export function nameOf(work: Work): string {
  switch (work.__typename) {
    case 'DataImport':
      return `Import of ${work.fileName}`;
    case 'DataExport':
      return work.fileName.endsWith('.zip') ? 'Export of personal data' : 'Export of content';
    case 'Seed':
      return `Sample data: ${work.domain}`;
    default: {
      const words = work.__typename.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      return words;
    }
  }
}

/** Whether undoing such work is offered. The server decides. */
export const canUndo = ({ __typename, state }: Work, administers: boolean): boolean =>
  (state === 'FINISHED' || state === 'FAILED') &&
  (__typename === 'DataImport' || (__typename === 'Seed' && administers));

/** @returns why it was refused, or null */
export async function undoWork({ __typename, id }: Work): Promise<string | null> {
  if (__typename === 'Seed') return undoSeed(id);
  const answer = await mutate(UndoImportDocument, { id });
  if (typeof answer === 'string') return answer;
  return 'message' in answer.undoImport ? answer.undoImport.message : null;
}
