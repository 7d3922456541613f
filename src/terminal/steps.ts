/**
 * Shows the current step, but only when it takes longer than a second. On a terminal it is one line that is redrawn, with a
 * bar when the progress is known; elsewhere each step is a line.
 */
import type { Step } from '../database/embedded/index.js';
import { fold } from './fold.js';
import { redrawn } from './import-progress.js';

const PATIENCE_MS = 1_000;
const BAR_WIDTH = 30;

export interface Steps {
  /** Starts a step, or updates the progress of the current one. */
  readonly show: (step: Step) => void;
  /** Ends the current step. */
  readonly end: () => void;
}

/** @param output usually standard error, since the steps are for people */
export function makeSteps(output: NodeJS.WriteStream): Steps {
  let current: Step | null = null;
  let shown: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    if (!current) return;
    if (output.isTTY) output.write(redrawn(`${current.text}${bar(current.done)}`, output));
    else if (shown !== current.text) output.write(fold(`${current.text}\n`));
    shown = current.text;
  };
  const end = () => {
    clearTimeout(timer);
    if (shown && output.isTTY) output.write('\r\x1b[K');
    current = null;
    shown = null;
  };
  const show = (step: Step) => {
    if (step.text !== current?.text) {
      end();
      timer = setTimeout(draw, PATIENCE_MS);
    }
    current = step;
    if (shown) draw();
  };
  return { show, end };
}

function bar(done: number | undefined): string {
  if (done === undefined) return ' …';
  const full = Math.round(done * BAR_WIDTH);
  return ` ${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${Math.round(done * 100)} %`;
}
