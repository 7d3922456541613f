/** The words of all domains: administrative actions ("Granted ada@example.org the Editor role"), and scopes. */
import type { AuditTrailQuery, Scope } from '../../generated/graphql.js';
import { type ActPhrase, type DomainWords, nameOfScope } from '../shell/domain-words.js';

export type Act = AuditTrailQuery['auditTrail']['edges'][number]['node'];

/** A sentence around its subject. */
export interface Sentence {
  readonly before: string;
  readonly subject: string;
  readonly after: string;
}

/** By convention, so that a new domain needs no entry here: `web/src/<domain>/words.ts`. */
const wordsOfDomains = Object.entries(
  import.meta.glob<DomainWords>('../*/words.ts', { eager: true, import: 'words' }),
).map(([path, words]) => ({ domain: path.split('/')[1] ?? '', ...words }));

const phrases: ReadonlyMap<string, ActPhrase> = new Map(
  wordsOfDomains.flatMap(({ acts = {} }) => Object.entries(acts)),
);

export function sentenceOf({ action, subject, detail }: Act): Sentence {
  const [before, after = ''] = phrases.get(action)?.(detail ?? '') ?? [action];
  return { before, subject, after };
}

export interface ScopeOption {
  readonly value: Scope;
  readonly name: string;
  readonly meaning: string;
}

/** The scopes of some domains. */
export const scopesOf = (domains: readonly string[]): ScopeOption[] =>
  wordsOfDomains
    .filter(({ domain }) => domains.includes(domain))
    .flatMap(({ scopes = {} }) => Object.entries(scopes))
    .map(([scope, meaning]) => ({ value: scope as Scope, name: nameOfScope(scope), meaning }));

const meanings: ReadonlyMap<string, string> = new Map(
  wordsOfDomains.flatMap(({ scopes = {} }) => Object.entries(scopes)),
);

export const meaningOfScope = (scope: Scope): string | undefined => meanings.get(scope);
