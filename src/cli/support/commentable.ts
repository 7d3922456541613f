/** What comments are on, by its path. */

import type { CommentServices } from '../../models/comments/domain.js';
import { commentsDomain } from '../../models/comments/domain.js';
import type { DomainSession } from './domain-session.js';

/** @returns the id of its discussion, null if no path is given, or undefined if there is nothing at the path */
export async function findDiscussionAt(
  { db, domains }: DomainSession,
  path: string | undefined,
): Promise<string | null | undefined> {
  if (path === undefined) return null;
  const { services } = domains.find(({ name }) => name === commentsDomain.name) ?? {};
  for (const host of (services as CommentServices | undefined)?.commentHosts ?? []) {
    const found = await host.findByPath?.(db, null, path);
    if (found) return found.discussion;
  }
  return undefined;
}
