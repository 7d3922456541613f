/** `sextant play` as a process, and what it has written. */
import { join } from 'node:path';
import { type Guarded, spawnGuarded } from '../../../harness/process.js';
import { administrator } from '../../../harness/product.js';
import { projectRoot } from '../../../harness/project-root.js';
import { waitFor } from '../../../harness/wait-for.js';

const players: Guarded[] = [];

/** Call after all tests. */
export async function endPlayers(): Promise<void> {
  for (const player of players.splice(0)) await player.end('SIGKILL');
}

export class Play {
  output = '';
  errors = '';

  private constructor(readonly guarded: Guarded) {
    guarded.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    guarded.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text;
    });
    guarded.child.stdin?.on('error', () => undefined);
  }

  /** @param password null: none is typed */
  static async begin(url: string, password: string | null, ...args: string[]): Promise<Play> {
    const main = join(projectRoot, 'dist/cli/main.js');
    const all = [main, 'play', '--url', url, '--email', administrator.email, ...args];
    const guarded = await spawnGuarded(process.execPath, all, {
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    players.push(guarded);
    const play = new Play(guarded);
    if (password !== null) play.type(password);
    return play;
  }

  type(line: string): void {
    this.guarded.child.stdin?.write(`${line}\n`);
  }

  /** Waits until the text was written. */
  async sees(text: string): Promise<void> {
    await waitFor(`"${text}" in ${this.output}${this.errors}`, 60_000, async () =>
      this.output.includes(text) ? true : null,
    );
  }

  timesSeen(text: string): number {
    return this.output.split(text).length - 1;
  }
}
