/** Doing background work in a command, with its progress on standard error. */
import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { workKindsOf } from '../../models/domain.js';
import { WorkLoop } from '../../models/system/work/work-loop.js';
import type { WorkDocument } from '../../models/work.js';
import { ProgressDisplay } from '../../terminal/import-progress.js';
import { tell } from '../../terminal/output.js';
import { whenToldToStop } from '../../terminal/signals.js';
import { type DomainSession, finishWork } from './domain-session.js';

/** Does the work, or waits for the server that has taken it up. Ctrl-C ends it after a step. */
export async function workToEnd({ db, now, domains }: DomainSession, started: WorkDocument): Promise<WorkDocument> {
  const display = new ProgressDisplay(process.stderr, () => performance.now());
  const name = started.file_name ?? '';
  const show = (shown: string, { done }: Readonly<WorkDocument>) =>
    display.show({ name: shown, lines: done, done: null });
  const loop = new WorkLoop(db, workKindsOf(domains), {
    holder: randomUUID(),
    now,
    onFault: (error) => tell((error as Error).message),
    onStep: (work) => show(name, work),
  });
  let stopping = false;
  whenToldToStop(() => {
    stopping = true;
    loop.stop();
  });
  try {
    return await finishWork(
      db,
      started,
      loop,
      () => stopping,
      (work) => show(`${name} (by a server)`, work),
    );
  } finally {
    display.end();
  }
}
