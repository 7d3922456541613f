/** Output of commands: results on standard output, messages on standard error. */
import { fold } from './fold.js';

/** A result, for people. */
export const print = (text: string): void => void process.stdout.write(fold(`${text}\n`, process.stdout.columns));

/** A result, for machines: not folded. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** A message for people while the result goes elsewhere. */
export const tell = (text: string): void => void process.stderr.write(fold(`${text}\n`, process.stderr.columns));
