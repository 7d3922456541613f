/** Whether what is on the screen is on the server. */
import { useClock } from '../../kit/base/clock.js';
import { formatAgo } from '../../kit/base/format.js';
import type { SaverState } from '../saver/saver.js';
import { isUnsaved } from '../saving/autosave.js';
import styles from './save-state.module.css';

type Tone = 'good' | 'busy' | 'warn' | 'bad';

const tickOf = (now: number) => Math.floor(now / 10_000);

export function SaveState({ state }: { state: SaverState }) {
  const now = useClock(10_000, tickOf) * 10_000;
  const [tone, words] = describe(state, now);
  return (
    <span className={styles.state} data-tone={tone} role="status">
      <span className={styles.dot} aria-hidden="true" />
      {words}
    </span>
  );
}

function describe(state: SaverState, now: number): readonly [Tone, string] {
  const { trouble, request, heard, stored, savedAt } = state;
  if (trouble?.kind === 'conflict') return ['bad', 'Conflict'];
  if (trouble?.kind === 'refused') return ['bad', 'Not saved'];
  if (trouble?.kind === 'offline') return ['warn', 'Not saved: offline'];
  if (request) return ['busy', 'Saving …'];
  if (!isUnsaved(state))
    return ['good', savedAt === null ? 'Saved' : `Saved ${formatAgo(Math.min(savedAt, now), now)}`];
  if (heard) return ['warn', 'Not saved: changed elsewhere'];
  return stored.isDraft ? ['busy', 'Not saved yet'] : ['warn', 'Not published yet'];
}
