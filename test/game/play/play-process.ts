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

const playOf = (url: string, args: readonly string[]): [string, readonly string[]] => [
  process.execPath,
  [join(projectRoot, 'dist/cli/main.js'), 'play', '--url', url, '--email', administrator.email, ...args],
];

async function spawnPlayer(command: string, args: readonly string[]): Promise<Guarded> {
  const guarded = await spawnGuarded(command, args, {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  players.push(guarded);
  return guarded;
}

export class Play {
  output = '';
  errors = '';

  /** @param enter what ends a line that is typed */
  private constructor(
    readonly guarded: Guarded,
    private readonly enter: string,
  ) {
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
    const play = new Play(await spawnPlayer(...playOf(url, args)), '\n');
    if (password !== null) play.type(password);
    return play;
  }

  /** In a terminal of so many columns. What it writes, also on standard error, has the terminal's control sequences. */
  static async beginInTerminal(columns: number, url: string, ...args: string[]): Promise<Play> {
    const helper = join(projectRoot, 'test/game/play/in-terminal.py');
    const [node, all] = playOf(url, args);
    const play = new Play(await spawnPlayer('python3', [helper, String(columns), node, ...all]), '\r');
    await play.sees('Password of'); // before, the terminal would show what is typed
    play.type(administrator.password);
    return play;
  }

  type(line: string): void {
    this.press(`${line}${this.enter}`);
  }

  press(keys: string): void {
    this.guarded.child.stdin?.write(keys);
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
