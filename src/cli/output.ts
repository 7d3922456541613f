/** What commands write: results on standard output, all that is said of them on standard error. */
import { fold } from './fold.js';

/** A result, for people. */
export const print = (text: string): void => void process.stdout.write(fold(`${text}\n`));

/** A result, for machines: as it is. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** What people should know while a result goes elsewhere. */
export const tell = (text: string): void => void process.stderr.write(fold(`${text}\n`));
