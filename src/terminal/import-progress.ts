/**
 * The progress of an import, on standard error. Not a library: one line with rate and time left is all it needs, and
 * the libraries draw many bars, take over the terminal, or require a newer Node.js.
 */
import { fold, WIDTH } from './fold.js';

export interface Progress {
  readonly name: string;
  readonly lines: number;
  /** From 0 to 1; null while it is unknown. */
  readonly done: number | null;
}

const TERMINAL_MS = 100; // between two drawings
const PLAIN_MS = 10_000; // between two lines where output is not a terminal
/** Narrower where the line would be longer than a row. */
const BAR_WIDTH = { most: 24, least: 4 };

/** Replaces the previous line on a terminal; a line longer than a row could not be erased. */
export const redrawn = (text: string, { columns = WIDTH }: NodeJS.WriteStream): string =>
  `\r\x1b[K${text.slice(0, columns - 1)}`;

export class ProgressDisplay {
  readonly #output: NodeJS.WriteStream;
  readonly #now: () => number;
  #begun: { at: number; lines: number; done: number } | null = null;
  #shownAt = 0;
  #drawn = false;

  /** @param now milliseconds of a clock that never goes back */
  constructor(output: NodeJS.WriteStream, now: () => number) {
    this.#output = output;
    this.#now = now;
  }

  show(progress: Progress): void {
    const at = this.#now();
    this.#begun ??= { at, lines: progress.lines, done: progress.done ?? 0 };
    if (at - this.#shownAt < (this.#output.isTTY ? TERMINAL_MS : PLAIN_MS)) return;
    if (!this.#output.isTTY && this.#shownAt === 0) {
      this.#shownAt = at; // a short import needs no line of its own
      return;
    }
    this.#shownAt = at;
    const text = describeProgress(progress, this.#begun, at);
    this.#output.write(this.#output.isTTY ? redrawn(text, this.#output) : fold(`${text}\n`));
    this.#drawn = true;
  }

  /** Call before anything else is written, and before the next file. */
  end(): void {
    if (this.#drawn && this.#output.isTTY) this.#output.write('\r\x1b[K');
    this.#begun = null;
    this.#shownAt = 0;
    this.#drawn = false;
  }
}

/** @param begun the progress at the start: a resumed import has not read what came before */
export function describeProgress(
  { name, lines, done }: Progress,
  begun: { readonly at: number; readonly lines: number; readonly done: number },
  at: number,
): string {
  const seconds = Math.max(0.001, (at - begun.at) / 1000);
  const rate = `${formatCount(Math.round(Math.abs(lines - begun.lines) / seconds))} lines/s`;
  const parts = [`${formatCount(lines)} lines`, rate];
  if (done === null) return [name, ...parts].join('  ');
  if (done > begun.done) parts.push(`${formatSeconds(((1 - done) * seconds) / (done - begun.done))} left`);
  const after = [`${Math.floor(done * 100)} %`, parts.join('  ')].join('  ');
  const width = WIDTH - 1 - `${name}   ${after}`.length;
  return `${name}  ${bar(done, Math.max(BAR_WIDTH.least, Math.min(BAR_WIDTH.most, width)))} ${after}`;
}

function bar(done: number, width: number): string {
  const full = Math.round(done * width);
  return `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
}

export const formatCount = (count: number): string => count.toLocaleString('en');

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const clock = `${minutes}:${String(whole % 60).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${clock.padStart(5, '0')}` : clock;
}
