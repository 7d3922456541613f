/** The state of an import or other background work, in a word. */
import type { WorkState } from '../../../generated/graphql.js';
import styles from './work-state.module.css';

const words: Record<WorkState, string> = {
  WAITING: 'Waiting',
  RUNNING: 'Running',
  FINISHED: 'Finished',
  FAILED: 'Failed',
  UNDOING: 'Undoing',
  UNDONE: 'Undone',
};

const tones: Record<WorkState, string> = {
  WAITING: 'plain',
  RUNNING: 'accent',
  FINISHED: 'good',
  FAILED: 'bad',
  UNDOING: 'accent',
  UNDONE: 'plain',
};

const moving: readonly WorkState[] = ['WAITING', 'RUNNING', 'UNDOING'];

/** Whether it has not ended yet. */
export const isMoving = (state: WorkState): boolean => moving.includes(state);

export const workStates = Object.entries(words) as readonly (readonly [WorkState, string])[];

interface WorkBadgeProps {
  readonly state: WorkState;
  /** Another word, for example “Importing”. */
  readonly word?: string | undefined;
  /** It has ended without a result. */
  readonly isBad?: boolean;
}

export const WorkBadge = ({ state, word = words[state], isBad = false }: WorkBadgeProps) => (
  <span className={styles.badge} data-tone={isBad ? 'bad' : tones[state]} role="status">
    {word}
  </span>
);
