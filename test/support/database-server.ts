/** One MongoDB for the whole run: `MONGODB_URI`, or an embedded server that ends with the run. */
import type { TestProject } from 'vitest/node';

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const own = process.env.MONGODB_URI;
  if (own) {
    project.provide('mongodbUri', own);
    return undefined;
  }
  throw new Error('The embedded server is not wired up yet: set MONGODB_URI');
}
