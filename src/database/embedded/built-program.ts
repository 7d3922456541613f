/** Where the programs lie that the embedded server runs as processes of their own. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `src` and `dist` are siblings: tests, which run the source, start the built program as well, because Node.js runs no TypeScript. */
export function builtProgram(name: string): string {
  const path = fileURLToPath(new URL(`../../../dist/database/embedded/${name}.js`, import.meta.url));
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build:server\``);
  return path;
}
