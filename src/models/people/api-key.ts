/** API keys. */
export const scopes = ['HITS_READ', 'HITS_WRITE', 'LOGS_READ', 'LOGS_WRITE'] as const;

/** What a program may do with an API key. */
export type Scope = (typeof scopes)[number];
