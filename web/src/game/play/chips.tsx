/** How the command can go on, in a row above the field; on a narrow page the exits while nothing is typed. */
import { useEffect } from 'react';
import { goThrough, lookAround } from '../screen/choices.js';
import type { Completion } from '../screen/completion.js';
import { usePlaying } from './playing.js';
import styles from './prompt.module.css';

interface ChipsProps {
  readonly id: string;
  readonly completions: readonly Completion[];
  readonly selected: number | null;
  readonly onPick: (completion: Completion) => void;
}

export function Chips({ id, completions, selected, onPick }: ChipsProps) {
  useEffect(() => {
    if (selected !== null) document.getElementById(`${id}-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, selected]);
  const shown = completions[selected ?? 0];
  return (
    <div className={styles.row}>
      <div role="listbox" id={id} aria-label="Completions" className={styles.chips} hidden={completions.length === 0}>
        {completions.map((completion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field handles the keys
          <div
            key={completion.line}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === selected}
            className={styles.chip}
            title={completion.hint}
            onMouseDown={(event) => event.preventDefault()} // the focus stays in the field
            onClick={() => onPick(completion)}
          >
            {completion.word}
          </div>
        ))}
      </div>
      {shown && <span className={styles.hint}>{shown.hint}</span>}
      {completions.length === 0 && <Idle />}
    </div>
  );
}

function Idle() {
  const { screen, choose, voice } = usePlaying();
  return (
    <>
      <p className={styles.keys}>
        {voice ? (
          'Escape: type commands again'
        ) : (
          <>
            <kbd>Tab</kbd> completes, <kbd>↑</kbd> <kbd>↓</kbd> what you typed before
          </>
        )}
      </p>
      <div className={styles.exits}>
        {screen.location.exits.map((exit) => (
          <button key={exit.direction} type="button" className={styles.chip} onClick={() => choose(goThrough(exit))}>
            {exit.direction}
          </button>
        ))}
        <button type="button" className={styles.chip} onClick={() => choose(lookAround)}>
          look
        </button>
      </div>
    </>
  );
}
