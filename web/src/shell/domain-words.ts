/** The words for what a domain adds to the lists of all domains. `web/src/<domain>/words.ts` has those of its own. */
import type { AuditAction, Scope } from '../../generated/graphql.js';

/** The words before and after the subject of an administrative action. @param detail empty if the entry has none */
export type ActPhrase = (detail: string) => readonly [before: string, after?: string];

export interface DomainWords {
  readonly acts?: Readonly<Partial<Record<AuditAction, ActPhrase>>>;
  /** What each scope permits. */
  readonly scopes?: Readonly<Partial<Record<Scope, string>>>;
}

/** A scope as the settings and the documentation write it: `hits:write`. */
export const nameOfScope = (scope: string): string => scope.toLowerCase().replace('_', ':');
