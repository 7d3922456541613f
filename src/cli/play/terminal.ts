/** Reading lines and writing text, in a terminal or through pipes. What comes while a line is typed is written above it. */
import { createInterface, type Interface, moveCursor } from 'node:readline';
import { Writable } from 'node:stream';
import { fold } from '../../terminal/fold.js';

type Complete = (line: string) => Promise<readonly string[]>;

const PROMPT = '> ';
const CLEAR_DOWN = '\r\u001b[J';

/** What `readline` has in a terminal and does not declare. */
type Editor = Interface & { history?: string[]; prevRows?: number };

export interface TypedLine {
  readonly text: string;
  /** When it was typed. Through a pipe, when it was read: a long script is no old one. */
  readonly at: number;
}

export class Terminal {
  readonly #lines: Editor;
  readonly #isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true;
  readonly #waiting: AsyncIterator<string>;
  /** When each of the lines was typed that were not read. */
  readonly #ahead: number[] = [];
  #isHidden = false;
  #isClosed = false;
  complete: Complete = async () => [];
  /** Whether the line leaves. */
  isLast: (line: string) => boolean = () => false;
  /** Called when somebody at the keyboard leaves: at once, or after what was typed before. */
  onLeave: (isAtOnce: boolean) => void = () => undefined;

  constructor() {
    const output = new Writable({
      write: (chunk, _encoding, done) => {
        if (!this.#isHidden) process.stdout.write(chunk as Buffer);
        done();
      },
    });
    Object.defineProperty(output, 'columns', { get: () => process.stdout.columns });
    if (this.#isTerminal) process.stdout.on('resize', () => output.emit('resize'));
    this.#lines = createInterface({
      input: process.stdin,
      ...(this.#isTerminal && { output, historySize: 500 }),
      terminal: this.#isTerminal,
      prompt: PROMPT,
      completer: (line: string, done: (error: null, result: [string[], string]) => void) => {
        this.complete(line).then(
          (found) => done(null, [[...found], line]),
          () => done(null, [[], line]),
        );
      },
    });
    this.#lines.on('line', (line) => {
      this.#ahead.push(Date.now());
      if (!this.#isTerminal) return;
      if (this.isLast(line)) this.onLeave(false);
      else this.#drawTyped(); // the next line can be typed before this one is read
    });
    this.#lines.on('SIGINT', () => {
      this.onLeave(true);
      this.close();
    });
    this.#lines.on('close', () => {
      this.#isClosed = true;
      if (!this.#isTerminal) return; // the end of a pipe does not say that nobody waits for the answers
      if (!this.#isHidden) process.stdout.write(CLEAR_DOWN);
      this.onLeave(false);
    });
    this.#waiting = this.#lines[Symbol.asyncIterator]();
  }

  /** @returns null at the end of the input */
  async readLine(): Promise<TypedLine | null> {
    if (this.#ahead.length === 0) this.#drawTyped();
    return this.#next();
  }

  /** Asks for something that stays invisible, and out of the history. */
  async readHidden(question: string): Promise<string | null> {
    if (this.#isTerminal) process.stdout.write(question);
    this.#isHidden = true;
    try {
      const line = await this.#next();
      this.#lines.history?.shift();
      return line?.text ?? null;
    } finally {
      this.#isHidden = false;
      if (this.#isTerminal) process.stdout.write('\n');
    }
  }

  print(text: string): void {
    this.#clearTyped();
    process.stdout.write(fold(`${text}\n`, process.stdout.columns));
    this.#drawTyped();
  }

  close(): void {
    if (!this.#isHidden) this.#clearTyped();
    this.#lines.close();
  }

  async #next(): Promise<TypedLine | null> {
    const { value: text, done } = await this.#waiting.next();
    if (done) return null;
    const typedAt = this.#ahead.shift();
    const now = Date.now();
    return { text, at: this.#isTerminal ? (typedAt ?? now) : now };
  }

  /** Clears all rows of the line that is being typed. */
  #clearTyped(): void {
    if (!this.#isTerminal || this.#isClosed) return;
    moveCursor(process.stdout, 0, -this.#lines.getCursorPos().rows);
    process.stdout.write(CLEAR_DOWN);
    this.#lines.prevRows = 0; // it would go up by as many, and after a paste by too few
  }

  #drawTyped(): void {
    if (this.#isTerminal && !this.#isClosed) this.#lines.prompt(true); // a closed interface would read on
  }
}
