/** Runs checks and recoveries through the API, to completion. */
import { expect } from 'vitest';
import type { TestServer } from './server.js';

/** The status of a check or a recovery. */
export interface RunStatus {
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly failure: string | null;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly violations?: readonly { readonly invariant: string; readonly detail: string }[];
  readonly runs?: readonly {
    readonly worker: string;
    readonly found: number | null;
    readonly failure: string | null;
  }[];
}

const FOLLOW_CHECK = `subscription { invariantCheckChanged {
  cursor reset check { state done total failure startedAt finishedAt violations { invariant detail } }
} }`;
const FOLLOW_RECOVERY = `subscription { recoveryChanged {
  cursor reset recovery { state done total failure startedAt finishedAt runs { worker found failure } }
} }`;

/** Subscribes, starts the run after the first event, and collects the events until the run has ended. */
async function run(server: TestServer, mutation: string, subscription: string): Promise<RunStatus[]> {
  const statuses: RunStatus[] = [];
  for await (const { data } of server
    .connect()
    .iterate<Record<string, Record<string, RunStatus>>>({ query: subscription })) {
    const event = Object.values(data ?? {})[0] ?? {};
    const status = (event.check ?? event.recovery) as RunStatus;
    statuses.push(status);
    if (statuses.length === 1)
      expect((await server.request(`mutation { ${mutation} { state } }`)).errors).toBeUndefined();
    else if (status.state !== 'RUNNING') return statuses;
  }
  throw new Error('The subscription ended');
}

/** @returns all received statuses, starting with the one before the run */
export const runCheck = (server: TestServer) => run(server, 'checkInvariants', FOLLOW_CHECK);
export const runRecovery = (server: TestServer) => run(server, 'recover', FOLLOW_RECOVERY);
