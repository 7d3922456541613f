/** Reading lines and writing text, in a terminal or through pipes. What comes while a line is typed is written above it. */
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { fold } from '../../terminal/fold.js';

type Complete = (line: string) => Promise<readonly string[]>;

const PROMPT = '> ';

export class Terminal {
  readonly #lines: Interface;
  readonly #isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  readonly #waiting: AsyncIterator<string>;
  #isHidden = false;
  #isPrompted = false;
  complete: Complete = async () => [];

  constructor() {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#isHidden) process.stdout.write(chunk as Buffer);
        done();
      },
    });
    this.#lines = createInterface({
      input: process.stdin,
      ...(this.#isTerminal && { output: Object.assign(output, { columns: process.stdout.columns }), historySize: 500 }),
      terminal: this.#isTerminal,
      prompt: PROMPT,
      completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
        this.complete(line).then(
          (found) => done(null, [[...found], line]),
          () => done(null, [[], line]),
        );
      },
    });
    this.#lines.on('SIGINT', () => this.close());
    this.#waiting = this.#lines[Symbol.asyncIterator]();
  }

  /** @returns null at the end of the input */
  async readLine(): Promise<string | null> {
    this.#isPrompted = true;
    if (this.#isTerminal) this.#lines.prompt();
    const { value, done } = await this.#waiting.next();
    this.#isPrompted = false;
    return done ? null : value;
  }

  /** Asks for something that stays invisible, and out of the history. */
  async readHidden(question: string): Promise<string | null> {
    if (this.#isTerminal) process.stdout.write(question);
    this.#isHidden = true;
    try {
      const { value, done } = await this.#waiting.next();
      (this.#lines as Interface & { history?: string[] }).history?.shift();
      return done ? null : value;
    } finally {
      this.#isHidden = false;
      if (this.#isTerminal) process.stdout.write('\n');
    }
  }

  print(text: string): void {
    const isBelow = this.#isTerminal && this.#isPrompted;
    if (isBelow) process.stdout.write('\r\u001b[K');
    process.stdout.write(fold(`${text}\n`));
    if (isBelow) this.#lines.prompt(true);
  }

  close(): void {
    this.#lines.close();
  }
}
