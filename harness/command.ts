/** Runs a built program of the product to completion, as a user would. */
import { join } from 'node:path';
import { spawnGuarded } from './process.js';
import { projectRoot } from './project-root.js';

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Output as one line: lines are broken at 80 columns, which other tests check. */
export const unfolded = (text: string): string => text.replaceAll(/\n */g, ' ').trim();

/** `sextant …`. @param environment in addition to PATH and HOME of the test @param folder the working directory */
export async function runSextant(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder: string = projectRoot,
): Promise<CommandResult> {
  const { child, ended } = await spawnGuarded(
    process.execPath,
    [join(projectRoot, 'dist/cli/main.js'), ...parameters],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'test', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const texts = { output: '', errors: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    texts.output += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    texts.errors += text;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { code } = await ended;
  await closed; // both outputs are read to their ends
  return { code, ...texts };
}
