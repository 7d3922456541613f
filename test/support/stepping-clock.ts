/** The clock of a real process, which a test can step. */
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProductOptions } from '../../harness/product.js';
import { projectRoot } from '../../harness/project-root.js';

const LOOK_MS = 10;

export interface SteppingClock {
  /** Environment for the process. */
  readonly options: Required<Pick<ProductOptions, 'environment' | 'nodeOptions'>>;
  /** Sets the offset of the process's clock. Resolves when it is in effect. */
  step(offsetMs: number): Promise<void>;
  remove(): Promise<void>;
}

export async function makeSteppingClock(offsetMs = 0): Promise<SteppingClock> {
  const folder = await mkdtemp(join(tmpdir(), 'sextant-clock-'));
  const file = join(folder, 'offset');
  await writeFile(file, String(offsetMs));
  return {
    options: {
      environment: { STEPPING_CLOCK: file },
      nodeOptions: ['--import', join(projectRoot, 'test/support/stepping-clock.mjs')],
    },
    async step(stepped) {
      await writeFile(`${file}.next`, String(stepped));
      await rename(`${file}.next`, file); // never visible half-written
      while ((await readFile(`${file}.seen`, 'utf8').catch(() => '')) !== String(stepped)) await pause(LOOK_MS);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
