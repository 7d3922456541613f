/** Rolls up new sessions immediately. Otherwise the server does so within 90 seconds. */
import { useState } from 'react';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { Notice } from '../../kit/display/notice.js';
import { type Progress, rollUp } from './session-data.js';
import { levelNames } from './view.js';

export interface RollUpState {
  readonly busy: boolean;
  /** What the last run wrote, or why it failed. */
  readonly outcome: readonly Progress[] | string | null;
  readonly run: () => void;
}

export function useRollUp(onDone: () => void): RollUpState {
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<RollUpState['outcome']>(null);
  const run = async () => {
    setBusy(true);
    setOutcome(await rollUp());
    setBusy(false);
    onDone();
  };
  return { busy, outcome, run: () => void run() };
}

export const RollUpButton = ({ busy, run }: RollUpState) => (
  <button type="button" className="button" disabled={busy} onClick={run}>
    {busy ? 'Rolling up…' : 'Roll up now'}
  </button>
);

export function RollUpOutcome({ outcome }: RollUpState) {
  if (outcome === null) return null;
  if (typeof outcome === 'string') return <Notice tone="bad">{outcome}</Notice>;
  const written = outcome.filter(({ documentsWritten }) => documentsWritten > 0);
  return (
    <Notice tone="good" icon="check">
      {written.length === 0 ? 'Nothing to roll up.' : `Rolled up: ${written.map(describeLevel).join(', ')}.`}
    </Notice>
  );
}

function describeLevel({ level, documentsWritten, milliseconds }: Progress): string {
  const name = levelNames[level].toLowerCase();
  return `${formatCountOf(documentsWritten, name)} in ${formatCount(milliseconds)} ms`;
}
