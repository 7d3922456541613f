/** How a discussion is stored, and its move into another design. */
import { useEffect, useState } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { CommentDesign, CommentMoveChangedSubscription, MoveFieldsFragment } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import { usePolling } from '../../api/polling.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { isMoving } from '../../kit/display/work-state.js';

export type Move = MoveFieldsFragment;

graphql(`
  fragment MoveFields on CommentMove { __typename id state done total failure from to }
`);

const DiscussionDesignDocument = graphql(`
  query DiscussionDesign($nodeId: ID!) {
    node(id: $nodeId) { __typename id ... on Commentable { commentDesign commentCount } }
    commentMove(nodeId: $nodeId) { ...MoveFields }
  }
`);

const MoveChangedDocument = graphql(`
  subscription CommentMoveChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { __typename id ...MoveFields } }
  }
`);

const ChangeDesignDocument = graphql(`
  mutation ChangeCommentDesign($nodeId: ID!, $design: CommentDesign!) {
    changeCommentDesign(nodeId: $nodeId, design: $design) {
      __typename
      ... on CommentMove { ...MoveFields }
      ... on Refusal { message }
    }
  }
`);

export const CommentDesignAdviceDocument = graphql(`
  query CommentDesignAdvice($nodeId: ID!) {
    commentDesignAdvice(nodeId: $nodeId) {
      design isRecommended isPossible note documents bytes documentsReadForAPage bytesReadForAPage bytesWrittenForAComment
    }
  }
`);

export const ExplainDiscussionDocument = graphql(`
  query ExplainDiscussion($nodeId: ID!, $order: CommentOrder!) {
    explainDiscussion(nodeId: $nodeId, order: $order) {
      stages indexName keysExamined documentsExamined returned milliseconds
    }
  }
`);

const POLL_MS = 10_000;
/** While somebody else's move is under way, which only its owner can follow. */
const POLL_MOVE_MS = 1_000;

export interface DiscussionDesign {
  /** Null until the server has answered. */
  readonly stored: { readonly design: CommentDesign; readonly count: number } | null;
  /** There is nothing to comment on. */
  readonly isNone: boolean;
  /** Under way, or ended while this page showed it. */
  readonly move: Move | null;
  readonly error: string | null;
  readonly again: () => void;
  /** @returns why it was refused, or null */
  readonly change: (design: CommentDesign) => Promise<string | null>;
}

interface Followed {
  readonly move: Move | null;
}

const followedAs = (before: Followed | null, { work }: EventOf<CommentMoveChangedSubscription>): Followed =>
  'from' in work ? { move: work } : (before ?? { move: null });

export function useDiscussionDesign(nodeId: string): DiscussionDesign {
  const { data, error, again } = useData(DiscussionDesignDocument, { nodeId });
  const [known, setKnown] = useState<Move | null>(null);
  const listed = data?.commentMove ?? null;
  if (listed && known?.id !== listed.id) setKnown(listed);
  const live = useLive(MoveChangedDocument, known && isMoving(known.state) ? { id: known.id } : null, followedAs);
  const followed = live.state?.move ?? null;
  const move = followed ?? (listed && listed.id === known?.id ? listed : known);
  usePolling(again, live.refused === null ? POLL_MS : POLL_MOVE_MS);
  useEffect(() => {
    if (!followed || isMoving(followed.state)) return;
    setKnown(followed);
    again();
  }, [followed, again]);
  const node = data?.node;
  return {
    stored: node && 'commentDesign' in node ? { design: node.commentDesign, count: node.commentCount } : null,
    isNone: data !== null && !(node && 'commentDesign' in node),
    // Of somebody else's move nothing is listed any more once it has ended.
    move: live.refused !== null && !listed ? null : move,
    error,
    again,
    change: async (design) => {
      const answer = await mutate(ChangeDesignDocument, { nodeId, design });
      again();
      if (typeof answer === 'string') return answer;
      const started = answer.changeCommentDesign;
      if ('message' in started) return started.message;
      setKnown(started);
      return null;
    },
  };
}
