/** Sample data of the domains: what there is, the progress of one, adding and undoing it. */
import { useEffect } from 'react';
import { graphql } from '../../../generated/gql.js';
import type { SeedChangedSubscription, SeedFieldsFragment } from '../../../generated/graphql.js';
import { mutate } from '../../api/client.js';
import type { EventOf } from '../../api/subscription.js';
import { useData } from '../../api/use-data.js';
import { useLive } from '../../api/use-live.js';
import { useRole } from '../access.js';

export type Seed = SeedFieldsFragment;

export const SeedFields = graphql(`
  fragment SeedFields on Seed {
    id domain state done total kept failure finishedAt
  }
`);

const SeedsDocument = graphql(`
  query Seeds {
    seeds { domain isEmpty latest { ...SeedFields } }
  }
`);

const SeedChangedDocument = graphql(`
  subscription SeedChanged($id: ID!, $after: String) {
    workChanged(id: $id, after: $after) { __typename cursor reset work { __typename ...SeedFields } }
  }
`);

const SeedDomainDocument = graphql(`
  mutation SeedDomain($domain: String!) {
    seedDomain(domain: $domain) {
      __typename
      ... on Seed { ...SeedFields }
      ... on Refusal { message }
    }
  }
`);

const UndoSeedDocument = graphql(`
  mutation UndoSeed($id: ID!) {
    undoSeed(id: $id) {
      __typename
      ... on Seed { ...SeedFields }
      ... on Refusal { message }
    }
  }
`);

const nothing = {};
const ofSeeds = { additionalTypenames: ['Seed'] };

/** For administrators; for others there is none. */
export function useSeeds() {
  const administers = useRole('ADMIN');
  const { data, error, again } = useData(SeedsDocument, administers ? nothing : null, ofSeeds);
  return { seeds: data?.seeds ?? null, error, again };
}

const isMoving = ({ state }: Pick<Seed, 'state'>) => ['WAITING', 'RUNNING', 'UNDOING'].includes(state);

interface Followed {
  readonly seed: Seed | null;
}

const latest = (before: Followed | null, { work }: EventOf<SeedChangedSubscription>): Followed => ({
  seed: work.__typename === 'Seed' ? work : (before?.seed ?? null),
});

/** Follows sample data while it is added or undone. @param onEnd called when that has ended */
export function useSeed(listed: Seed | null, onEnd: () => void): { seed: Seed | null; isMoving: boolean } {
  const { state } = useLive(SeedChangedDocument, listed && isMoving(listed) ? { id: listed.id } : null, latest);
  const seed = state?.seed ?? listed;
  const hasEnded = listed !== null && isMoving(listed) && seed !== null && !isMoving(seed);
  useEffect(() => {
    if (hasEnded) onEnd();
  }, [hasEnded, onEnd]);
  return { seed, isMoving: seed !== null && isMoving(seed) };
}

/** @returns why it was refused, or null */
export async function addSeed(domain: string): Promise<string | null> {
  const answer = await mutate(SeedDomainDocument, { domain });
  if (typeof answer === 'string') return answer;
  return answer.seedDomain.__typename === 'Seed' ? null : answer.seedDomain.message;
}

/** @returns why it was refused, or null */
export async function undoSeed(id: string): Promise<string | null> {
  const answer = await mutate(UndoSeedDocument, { id });
  if (typeof answer === 'string') return answer;
  return answer.undoSeed.__typename === 'Seed' ? null : answer.undoSeed.message;
}

/** Null while it is unknown. */
export const shareOf = ({ done, total }: Seed): number | null => (total ? done / total : null);
