/** Product titles that start with the typed text. */
import { graphql } from '../../../generated/gql.js';
import type { TitleCompletionsQuery } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { useLast } from '../../kit/base/use-last.js';
import { useQuiet } from '../../kit/base/use-quiet.js';

const TitleCompletionsDocument = graphql(`
  query TitleCompletions($prefix: String!) {
    completeTitle(prefix: $prefix, first: 8) { title sku }
  }
`);

export type TitleCompletion = TitleCompletionsQuery['completeTitle'][number];

/** The API's limit. */
export const PREFIX_MAX = 100;
const none: readonly TitleCompletion[] = [];

/** @returns the completions of the previous text until the new ones arrive; none for an empty text */
export function useTitleCompletions(text: string): readonly TitleCompletion[] {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const quiet = useQuiet(prefix);
  const { data } = useData(TitleCompletionsDocument, prefix === '' || quiet === '' ? null : { prefix: quiet });
  const last = useLast(data);
  return prefix === '' || last === null ? none : last.completeTitle;
}
