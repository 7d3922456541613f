/** Versions below which a dependency has a vulnerability with an advisory. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../harness/project-root.js';

/** The first fixed version, and the vulnerability. */
const floors: Readonly<Record<string, readonly [version: string, advisory: string]>> = {
  '@apollo/server': [
    '5.5.0',
    'GHSA-9q82-xgwf-v6hj: responses to other sites by GET with an odd content type; CVE-2026-23897',
  ],
  fastify: [
    '5.8.5',
    'CVE-2025-32442, CVE-2026-25223, CVE-2026-33806: content types that skip their check; CVE-2026-3635',
  ],
  ws: ['8.21.0', 'CVE-2024-37890: many headers; CVE-2026-48779: tiny fragments exhaust memory'],
  graphql: ['16.8.1', 'CVE-2023-26144: overlapping fields'],
  '@fastify/busboy': ['1.0.0', 'CVE-2022-24434: a form that crashes the process'],
  busboy: ['1.0.0', 'CVE-2022-24434: a form that crashes the process'],
};
/** Packages with unfixed vulnerabilities: none of them may be installed. */
const banned = ['dicer', 'graphql-upload', 'graphql-armor', 'subscriptions-transport-ws'];

const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>;
};
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const locked = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));

function isAtLeast(version: string, floor: string): boolean {
  const parts = (text: string) => text.split('-', 1)[0]?.split('.').map(Number) ?? [];
  const [found, least] = [parts(version), parts(floor)];
  for (let i = 0; i < 3; i += 1) {
    const difference = (found[i] ?? 0) - (least[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

describe('dependencies', () => {
  it.each(Object.entries(floors))('%s: every copy is new enough', (name, [floor]) => {
    const versions = locked.filter(([path]) => nameOf(path) === name).map(([, { version = '0' }]) => version);
    expect(versions.filter((version) => !isAtLeast(version, floor))).toEqual([]);
    if (['busboy', '@fastify/busboy'].includes(name)) return; // only one of the two is installed
    expect(versions.length).toBeGreaterThan(0);
  });

  it('with known vulnerabilities are not installed', () => {
    const names = new Set(locked.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path)));
    expect(banned.filter((name) => names.has(name))).toEqual([]);
  });

  it('are compared by number, not by text', () => {
    expect([isAtLeast('8.21.0', '8.9.0'), isAtLeast('5.5.0', '5.5.1'), isAtLeast('16.15.0', '16.8.1')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
