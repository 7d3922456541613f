/** Starts the subscriber process and communicates with it. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Request, SubscribersOptions } from './messages.js';

const PROGRAM = fileURLToPath(new URL('subscribers.js', import.meta.url));
const STUCK_MS = 180_000;

export interface SubscriberProcess {
  saturate(writes: number, window: number): Promise<Answer>;
  pace(writes: number, everyMs: number): Promise<Answer>;
  end(): void;
}

/** Resolves when every subscriber has received a change. */
export async function startSubscribers(options: SubscribersOptions): Promise<SubscriberProcess> {
  const child = fork(PROGRAM, { stdio: 'inherit' });
  const ask = (request: Request) =>
    new Promise<Answer>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        child.off('exit', ended).off('message', answered);
      };
      const ended = (code: number | null) => {
        done();
        reject(new Error(`The subscribers exited with ${code}`));
      };
      const answered = (answer: unknown) => {
        done();
        resolve(answer as Answer);
      };
      const timer = setTimeout(() => {
        done();
        child.kill('SIGKILL');
        reject(new Error(`The subscribers did not receive everything in ${STUCK_MS} ms`));
      }, STUCK_MS);
      child.on('exit', ended).on('message', answered);
      child.send(request);
    });
  await ask({ kind: 'connect', options });
  return {
    saturate: (writes, window) => ask({ kind: 'saturate', writes, window }),
    pace: (writes, everyMs) => ask({ kind: 'pace', writes, everyMs }),
    end: () => child.kill('SIGKILL'),
  };
}
