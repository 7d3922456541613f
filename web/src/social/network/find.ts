/** Finds people by the start of their names. */
import { graphql } from '../../../generated/gql.js';
import type { NetworkProfileFragment } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { useLast } from '../../kit/base/use-last.js';
import { useQuiet } from '../../kit/base/use-quiet.js';
import { networkContext } from '../data/network.js';

export type Profile = NetworkProfileFragment;

export const FindProfilesDocument = graphql(`
  query FindProfiles($prefix: String!, $first: Int!, $after: String) {
    findProfiles(namePrefix: $prefix, first: $first, after: $after) {
      edges { cursor node { ...NetworkProfile } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const FIRST = 20;

/** The API's limit. */
const PREFIX_MAX = 100;

interface Found {
  /** Null until the first answer, or if nothing is typed. */
  readonly people: readonly Profile[] | null;
  readonly error: string | null;
  /** Whether the people are those of the text as it is now. */
  readonly isCurrent: boolean;
  readonly again: () => void;
}

/** The previous people stay until the new ones arrive. */
export function useFoundProfiles(text: string): Found {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const quiet = useQuiet(prefix);
  const { data, error, again } = useData(
    FindProfilesDocument,
    quiet === '' ? null : { prefix: quiet, first: FIRST, after: null },
    networkContext,
  );
  const last = useLast(data);
  const isCurrent = quiet === prefix && data !== null;
  const people = prefix === '' ? null : (last?.findProfiles.edges.map(({ node }) => node) ?? null);
  return { people, error, isCurrent, again };
}
