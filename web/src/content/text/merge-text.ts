/** Three-way merge of texts, line by line. */
import { diff3Merge } from 'node-diff3';

export interface MergedText {
  /** Both sides' changes. Where both changed the same lines, yours. */
  readonly text: string;
  /** How many places both sides changed differently: there the other's lines are left out. */
  readonly clashes: number;
}

export function mergeTexts(base: string, yours: string, theirs: string): MergedText {
  const regions = diff3Merge(linesOf(yours), linesOf(base), linesOf(theirs), { excludeFalseConflicts: true });
  return {
    text: regions.flatMap(({ ok, conflict }) => ok ?? conflict?.a ?? []).join('\n'),
    clashes: regions.filter(({ conflict }) => conflict).length,
  };
}

const linesOf = (text: string) => text.split('\n');
