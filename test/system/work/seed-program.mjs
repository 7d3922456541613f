/** A process that fills all domains with sample data and undoes it, until it dies at a failpoint. Usage: node seed-program.mjs */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const sextant = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
for (const options of [[], ['--undo']]) {
  const { signal } = spawnSync(process.execPath, [sextant, 'seed', ...options], { stdio: 'inherit' });
  if (signal) process.kill(process.pid, signal);
}
