/** Reads that do not depend on each other. */
import type { ClientSession } from 'mongodb';

type Reads<T extends readonly unknown[]> = { readonly [K in keyof T]: () => Promise<T[K]> };

/** All at once. With a session one after the other: a transaction allows one operation at a time. */
export async function readTogether<T extends readonly unknown[]>(
  session: ClientSession | undefined,
  ...reads: Reads<T>
): Promise<T> {
  const found: unknown[] = session ? [] : await Promise.all(reads.map((read) => read()));
  if (session) for (const read of reads) found.push(await read());
  return found as readonly unknown[] as T; // one for each of `reads`, in their order
}
