/** How many comments wait for a moderator, beside the section's name. */
import type { ModerationCountSubscription } from '../../../generated/graphql.js';
import type { EventOf } from '../../api/subscription.js';
import { useLive } from '../../api/use-live.js';
import { WaitingCountDocument } from './documents.js';
import { COUNTED_MAX } from './words.js';

const nothing = {};
const latest = (_before: number | null, { waiting }: EventOf<ModerationCountSubscription>): number => waiting;

/** What fits beside the name. */
const SHOWN_MAX = 99;

export function WaitingMark() {
  const { state: waiting } = useLive(WaitingCountDocument, nothing, latest);
  if (!waiting) return null;
  return (
    <span className="count" title={waiting >= COUNTED_MAX ? `At least ${waiting}` : undefined}>
      {waiting > SHOWN_MAX ? `${SHOWN_MAX}+` : waiting}
      <span className="hidden"> waiting</span>
    </span>
  );
}
