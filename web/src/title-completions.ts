/** Titles that begin as is typed. */
import { graphql } from '../generated/gql.js';
import type { TitleCompletionsQuery } from '../generated/graphql.js';
import { useData } from './parts/use-data.js';
import { useLast } from './parts/use-last.js';
import { useQuiet } from './parts/use-quiet.js';

const TitleCompletionsDocument = graphql(`
  query TitleCompletions($prefix: String!) {
    completeTitle(prefix: $prefix, first: 8) { title sku }
  }
`);

export type TitleCompletion = TitleCompletionsQuery['completeTitle'][number];

/** What the API takes. */
export const PREFIX_MAX = 100;
const none: readonly TitleCompletion[] = [];

/** @returns those of the text before until the next ones have come; none for no text */
export function useTitleCompletions(text: string): readonly TitleCompletion[] {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const quiet = useQuiet(prefix);
  const { data } = useData(TitleCompletionsDocument, prefix === '' || quiet === '' ? null : { prefix: quiet });
  const last = useLast(data);
  return prefix === '' || last === null ? none : last.completeTitle;
}
