/**
 * Differences between versions of a node, field by field, and the three-way merge of texts, line by line.
 * The merge is a suggestion to the editor who lost a race. It is never stored without being sent again.
 */
import { diff3Merge } from 'node-diff3';
import type { NodeContent } from './node.js';

export interface FieldDifference {
  /** The name in the API. */
  readonly field: string;
  readonly base: string | null;
  readonly yours: string | null;
  readonly theirs: string | null;
  /** Null if both changed the same lines. */
  readonly merged: string | null;
}

/** Texts of several lines. Any other field is one piece. */
const BY_LINES: readonly string[] = ['text', 'description'];

/** Every field that a version holds, as text. */
export function fieldsOf({ title, excerpt, published, detail, slug, parent_id }: NodeContent) {
  return {
    title,
    excerpt: excerpt || null,
    publishedAt: published?.toISOString() ?? null,
    text: detail.text ?? null,
    description: detail.description ?? null,
    videoUrl: detail.video_url ?? null,
    source: detail.source ?? null,
    imageId: detail.asset_id ?? null,
    slug,
    parentId: parent_id,
  } satisfies Record<string, string | null>;
}

export const isSameContent = (left: NodeContent, right: NodeContent): boolean =>
  differencesBetween(left, left, right).length === 0;

/** The fields in which `yours` and `theirs` differ. */
export function differencesBetween(base: NodeContent, yours: NodeContent, theirs: NodeContent): FieldDifference[] {
  const [before, own, other] = [fieldsOf(base), fieldsOf(yours), fieldsOf(theirs)];
  return (Object.keys(own) as (keyof typeof own)[]).flatMap((field) => {
    const difference = { field, base: before[field], yours: own[field], theirs: other[field] };
    return difference.yours === difference.theirs ? [] : [{ ...difference, merged: merge(difference) }];
  });
}

/** What a version changed, compared with the one before it. */
export const changesOf = (before: NodeContent, after: NodeContent): FieldDifference[] =>
  differencesBetween(before, after, before);

function merge({ field, base, yours, theirs }: Omit<FieldDifference, 'merged'>): string | null {
  if (yours === base) return theirs;
  if (theirs === base) return yours;
  return BY_LINES.includes(field) ? mergeLines(base ?? '', yours ?? '', theirs ?? '') : null;
}

/** @returns null if both changed the same lines */
export function mergeLines(base: string, yours: string, theirs: string): string | null {
  const parts = diff3Merge(yours.split('\n'), base.split('\n'), theirs.split('\n'), { excludeFalseConflicts: true });
  const lines: string[] = [];
  for (const part of parts) {
    if (!part.ok) return null;
    lines.push(...part.ok);
  }
  return lines.join('\n');
}
