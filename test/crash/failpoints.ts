/** The failpoints of the product, read from its code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../harness/project-root.js';

export interface FailpointSite {
  readonly name: string;
  /** For example `src/models/analytics/hits/hit-group.ts:40`. */
  readonly place: string;
}

const SOURCE = join(projectRoot, 'src');
const CALL = /\bfailpoint\(\s*(['"`])(?<name>[^'"`]*)\1/g;

/** Every call of `failpoint` with a literal name, in the order of files and lines. */
export function findFailpoints(): FailpointSite[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => failpointsIn(join(SOURCE, name)));
}

function failpointsIn(file: string): FailpointSite[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(CALL)].map((match) => ({
    name: match.groups?.name ?? '',
    place: `${relative(projectRoot, file)}:${text.slice(0, match.index).split('\n').length}`,
  }));
}
