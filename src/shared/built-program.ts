/** Locates the built programs that this one runs as processes or threads. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `src` and `dist` are siblings: tests run the source, but also start the built program, because Node.js does not run TypeScript.
 * @param name its path below `src`, without the extension
 */
export function builtProgram(name: string): string {
  const path = fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build:server\``);
  return path;
}
