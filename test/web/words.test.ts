/** Each kind of administrative action and each scope has words on the pages, from the domain that adds it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';
import { NEEDED_DOMAINS } from '../../src/config/config.js';
import type { DomainWords } from '../../web/src/shell/domain-words.js';
import { domains } from '../domains.js';
import { enumValues } from '../support/domain/enum-values.js';

async function wordsOf(domain: string): Promise<DomainWords> {
  const path = join(projectRoot, 'web/src', domain, 'words.ts');
  return existsSync(path) ? ((await import(path)) as { readonly words: DomainWords }).words : {};
}

const permanent = ['comments', 'people', 'system'];

describe('the words of the pages', () => {
  it.each(domains.map(({ name }) => name))('cover what %s adds', async (domain) => {
    const { acts = {}, scopes = {} } = await wordsOf(domain);
    const others = [...permanent.filter((name) => name !== domain), ...(NEEDED_DOMAINS[domain] ?? [])];
    const ofOthers = await Promise.all(others.map(wordsOf));
    const actNames = [acts, ...ofOthers.map((words) => words.acts ?? {})].flatMap(Object.keys);
    expect(actNames.toSorted()).toEqual(enumValues('AuditAction', [domain, ...others]).toSorted());
    const scopeNames = [scopes, ...ofOthers.map((words) => words.scopes ?? {})].flatMap(Object.keys);
    expect(scopeNames.toSorted()).toEqual(enumValues('Scope', [domain, ...others]).toSorted());
  });
});
