/** A separate process that records hits until it is told to stop, like another server during an import. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { type SteadyHits, type SteadyHitsOptions, type StoredHits, startSteadyHits } from './steady-hits.js';

interface Begin extends SteadyHitsOptions {
  readonly mongodbUri: string;
  readonly database: string;
}

export async function startSteadyHitsElsewhere(begin: Begin): Promise<SteadyHits> {
  const child = fork(fileURLToPath(import.meta.url), { stdio: 'inherit' });
  child.send(begin);
  await answerOf(child);
  return {
    async stop() {
      child.send('stop');
      const stored = (await answerOf(child)) as StoredHits;
      child.kill('SIGKILL');
      return stored;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that records hits has exited');
  });
  ended.catch(() => undefined);
  const [answer] = await Promise.race([once(child, 'message'), ended]);
  return answer;
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('disconnect', () => process.exit(0));
  const [begin] = (await once(process, 'message')) as [Begin];
  const client = await MongoClient.connect(begin.mongodbUri, {
    writeConcern: { w: 'majority' },
    ignoreUndefined: true,
  });
  const hits = startSteadyHits(client, client.db(begin.database), begin);
  process.send('begun');
  await once(process, 'message');
  process.send(await hits.stop());
}
