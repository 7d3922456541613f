/** The mongod that tests start servers of their own from. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @throws Error there is none */
export async function findMongod(): Promise<string> {
  const candidates = [
    process.env.MONGOD_BINARY,
    ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'mongod')),
  ];
  for (const path of candidates) {
    if (path && isExecutable(path)) return path;
  }
  throw new Error('There is no mongod: set MONGOD_BINARY');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
