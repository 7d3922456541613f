/** The project's own code, for the rules that read it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../harness/project-root.js';

export interface SourceFile {
  /** Relative to the project's root, for example `src/models/analytics/hits/hit.ts`. */
  readonly path: string;
  readonly text: string;
}

/** All TypeScript files below a folder, except generated ones. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)(generated|node_modules|dist)\//.test(name))
    .sort()
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(projectRoot, folder, name), 'utf8') }));
}

/** Lines that are code, not comment. Good enough to search for words: the project has no strings that start like comments. */
export function codeLines({ text }: SourceFile): string[] {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/\/\/.*$/, ''));
}
