/** The folders, blogs and galleries as a tree, flattened in the order of their paths. */
import type { GroupFragment } from '../../../generated/graphql.js';
import { usePolling } from '../../api/polling.js';
import { type Answer, useData } from '../../api/use-data.js';
import { GroupsDocument, ofNodes } from './nodes.js';

export type Group = GroupFragment;

const POLL_MS = 15_000;
const nothing = {};

export function useGroups(): Answer<readonly Group[]> {
  const { data, error, again } = useData(GroupsDocument, nothing, ofNodes);
  usePolling(again, POLL_MS);
  const all = data && [...data.folders.edges, ...data.blogs.edges, ...data.galleries.edges].map(({ node }) => node);
  return { data: all?.toSorted((a, b) => (a.path < b.path ? -1 : 1)) ?? null, error, again };
}

/** 1 for a root. */
export const levelOf = ({ path }: Group): number => path.split('/').length - 1;
