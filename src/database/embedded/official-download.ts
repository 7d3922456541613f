/**
 * The official download, by `mongodb-memory-server-core` in a separate process (`download-program.ts`): that package brings another
 * copy of the driver, which this keeps out of the application, and a process can be killed when the download host does not respond.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtProgram } from '../../shared/built-program.js';
import type { OnStep } from './progress.js';

const CONNECT_TIMEOUT_MS = 5_000;

/** Sent by the program when it is done. */
export type DownloadOutcome = { readonly path: string } | { readonly error: string };

/** @returns the path of the mongod, inside `folder` @throws Error no answer within 5 s, or what the download reports */
export async function downloadOfficial(folder: string, onStep: OnStep): Promise<string> {
  const text = 'Downloading the database server';
  onStep({ text });
  const program = fork(builtProgram('database/embedded/download-program'), [folder], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  const ended = once(program, 'close');
  let outcome = { error: 'the download ended without a result' } as DownloadOutcome;
  const giveUp = setTimeout(() => {
    outcome = { error: `the download host did not respond within ${CONNECT_TIMEOUT_MS / 1000} s` };
    program.kill('SIGKILL');
  }, CONNECT_TIMEOUT_MS);
  program.on('message', (message: DownloadOutcome) => {
    clearTimeout(giveUp);
    outcome = message;
  });
  if (program.stdout) {
    // The first line arrives with the first bytes: `Downloading MongoDB "7.0.14": 12.3% (…)`.
    createInterface(program.stdout).on('line', (line) => {
      const percent = /: ([\d.]+)%/.exec(line);
      if (!percent) return;
      clearTimeout(giveUp);
      onStep({ text, done: Number(percent[1]) / 100 });
    });
  }
  await ended;
  clearTimeout(giveUp);
  if ('error' in outcome) throw new Error(outcome.error);
  return outcome.path;
}
