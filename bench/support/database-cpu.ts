/** CPU time that the database server has used, as it reports it. */
import type { Db } from 'mongodb';

/** User and system CPU time of the server in microseconds. */
export async function databaseMicros(db: Db): Promise<number> {
  const { extra_info } = await db.admin().command({ serverStatus: 1 });
  return Number(extra_info.user_time_us) + Number(extra_info.system_time_us);
}

export interface Cpu {
  /** Microseconds of this process. */
  readonly own: number;
  /** Microseconds of the database server. */
  readonly database: number;
}

/** What a piece of work takes in time and CPU time, here and in the database. */
export async function measureCpu(db: Db, work: () => Promise<unknown>): Promise<Cpu & { readonly ms: number }> {
  const database = await databaseMicros(db);
  const own = process.cpuUsage();
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(own);
  return { ms, own: user + system, database: (await databaseMicros(db)) - database };
}
