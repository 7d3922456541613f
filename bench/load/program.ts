/**
 * Programs that run in a separate process, so that they take no time from what they measure. Each gets one message and
 * answers it.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** In the program: answers each message. The process exits with its parent, or on the first error. */
export function answerMessages<Request, Answer>(answer: (request: Request) => Promise<Answer>): void {
  process.on('message', (request: Request) => {
    answer(request).then(
      (answered) => process.send?.(answered),
      (error: Error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}

/**
 * Starts a program in this folder, sends it one request and stops it. @param name of its file, without the extension
 */
export async function runProgram<Request extends object, Answer>(name: string, request: Request): Promise<Answer> {
  const child = fork(fileURLToPath(new URL(`${name}.js`, import.meta.url)), { stdio: 'inherit' });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      child.once('message', (answer) => resolve(answer as Answer));
      child.once('exit', (code) => reject(new Error(`The process of ${name} exited with ${code}`)));
      child.send(request);
    });
  } finally {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
}
