/** A line of the terminal. */
import { useIsAway } from '../../api/connection.js';
import { formatClock, formatCountOf } from '../../kit/base/format.js';
import { hueOf } from '../parts/hue.js';
import { goThrough } from '../screen/choices.js';
import type { Line } from '../screen/log.js';
import styles from './line.module.css';
import { usePlaying } from './playing.js';

/** @param isHere whether it describes the room where the character is: its exits can be taken */
export function LineView({ line, isHere }: { line: Line; isHere: boolean }) {
  switch (line.kind) {
    case 'happened':
      return <Happened line={line} />;
    case 'typed':
      return <Typed id={line.key} text={line.text} />;
    case 'told':
      return <Told text={line.text} suggestions={line.suggestions} />;
    case 'room':
      return <RoomLine line={line} isHere={isHere} />;
    case 'lost':
      return <p className={styles.lost}>{formatCountOf(line.count, 'thing')} happened that nobody remembers.</p>;
  }
}

type Of<Kind extends Line['kind']> = Extract<Line, { kind: Kind }>;

function Happened({ line: { at, what, text, who, isOwn, number } }: { line: Of<'happened'> }) {
  const hasName = who !== null && !isOwn && text.startsWith(who);
  return (
    <p className={styles.happened} data-what={what} data-own={isOwn} data-number={number}>
      <time dateTime={at}>{formatClock(Date.parse(at))}</time>
      <span>
        {hasName && (
          <strong className={styles.name} style={hueOf(who)}>
            {who}
          </strong>
        )}
        {hasName ? text.slice(who.length) : text}
      </span>
    </p>
  );
}

function Typed({ id, text }: { id: string; text: string }) {
  const { now } = usePlaying();
  const isAway = useIsAway();
  const isWaiting = now.waiting.some(({ key }) => key === id);
  return (
    <p className={styles.typed} data-waiting={isWaiting}>
      <span aria-hidden="true">› </span>
      {text}
      {isWaiting && isAway && <span className={styles.waits}>waits for the connection</span>}
    </p>
  );
}

function Told({ text, suggestions }: { text: string; suggestions: readonly string[] }) {
  const { choose } = usePlaying();
  return (
    <div className={styles.told}>
      <p>{text}</p>
      {suggestions.length > 0 && (
        <ul aria-label="Perhaps you mean">
          {suggestions.map((each) => (
            <li key={each}>
              <button
                type="button"
                className="button small"
                onClick={() => choose({ words: each, typed: each, act: { do: 'type', text: each } })}
              >
                {each}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function RoomLine({ line: { name, description, exits, here }, isHere }: { line: Of<'room'>; isHere: boolean }) {
  const { choose } = usePlaying();
  return (
    <div className={styles.room}>
      <strong className={styles.place}>{name}</strong>
      <p className={styles.description}>{description}</p>
      <p className={styles.exits}>
        {exits.length === 0 && 'There is no way out.'}
        {exits.length > 0 && 'Exits: '}
        {exits.map((direction, index) => (
          <span key={direction}>
            {index > 0 && ', '}
            {isHere ? (
              <button type="button" className="link" onClick={() => choose(goThrough({ direction }))}>
                {direction}
              </button>
            ) : (
              direction
            )}
          </span>
        ))}
        {exits.length > 0 && '.'}
        {here.length > 0 && ` Here: ${here.join(', ')}.`}
      </p>
    </div>
  );
}
