/**
 * Loaded into a process before its code (`--import`): its clock can be stepped from outside, as a time service does. The offset is
 * read from the file that STEPPING_CLOCK names. Monotonic clocks are unaffected: timers, `performance.now()`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const LOOK_MS = 20;
const file = process.env.STEPPING_CLOCK;
const TrueDate = globalThis.Date;
let offsetMs = 0;

class SteppingDate extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + offsetMs);
    else super(...given);
  }

  static now() {
    return TrueDate.now() + offsetMs;
  }
}
globalThis.Date = SteppingDate;

function look() {
  const stepped = Number(readFileSync(file, 'utf8'));
  if (stepped === offsetMs) return;
  offsetMs = stepped;
  writeFileSync(`${file}.seen`, String(offsetMs));
}

look();
setInterval(look, LOOK_MS).unref();
