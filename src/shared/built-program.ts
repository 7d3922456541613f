/** Where the programs lie that Node.js runs beside the present one: as processes, or as threads. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `src` and `dist` are siblings: tests, which run the source, start the built program as well, because Node.js runs no TypeScript.
 * @param name its path below `src`, without the ending
 */
export function builtProgram(name: string): string {
  const path = fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build:server\``);
  return path;
}
