/** Titles that begin as is typed. */
import { useEffect, useState } from 'react';
import { graphql } from '../generated/gql.js';
import type { TitleCompletionsQuery } from '../generated/graphql.js';
import { useData } from './parts/use-data.js';

const TitleCompletionsDocument = graphql(`
  query TitleCompletions($prefix: String!) {
    completeTitle(prefix: $prefix, first: 8) { title sku }
  }
`);

export type TitleCompletion = TitleCompletionsQuery['completeTitle'][number];

/** What the API takes. */
export const PREFIX_MAX = 100;
/** Somebody who types is not asked after each letter. */
const QUIET_MS = 120;
const none: readonly TitleCompletion[] = [];

/** @returns those of the text before until the next ones have come; none for no text */
export function useTitleCompletions(text: string): readonly TitleCompletion[] {
  const prefix = text.trim().slice(0, PREFIX_MAX);
  const quiet = useQuiet(prefix);
  const { data } = useData(TitleCompletionsDocument, prefix === '' || quiet === '' ? null : { prefix: quiet });
  const [known, setKnown] = useState(none);
  if (data && data.completeTitle !== known) setKnown(data.completeTitle);
  return prefix === '' ? none : known;
}

/** A text once it has stood still. */
function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
}
