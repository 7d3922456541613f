/** The room where the character is: exits, people and things. */
import { Card } from '../../kit/display/card.js';
import { goThrough, lookAround } from '../screen/choices.js';
import { People } from './people.js';
import { usePlaying } from './playing.js';
import styles from './room-card.module.css';
import { Things } from './things.js';

export function RoomCard() {
  const { screen, choose } = usePlaying();
  const look = (
    <button type="button" className="button small" onClick={() => choose(lookAround)}>
      Look
    </button>
  );
  return (
    <Card title={screen.location.name} aside={look}>
      <Room />
    </Card>
  );
}

export function Room() {
  const { screen, choose } = usePlaying();
  const { exits, items } = screen.location;
  return (
    <div className={styles.room}>
      <div>
        <h3 className="label">Exits</h3>
        {exits.length === 0 && <p className="note">There is no way out.</p>}
        <ul className={styles.exits} aria-label="Exits">
          {exits.map((exit) => (
            <li key={exit.direction}>
              <button
                type="button"
                className="button small"
                title={[exit.description, exit.needs && `Needs: ${exit.needs}`].filter(Boolean).join(' ')}
                onClick={() => choose(goThrough(exit))}
              >
                {exit.direction}
                {exit.needs && <span className="note"> needs {exit.needs}</span>}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="label">People</h3>
        <People />
      </div>
      <div>
        <h3 className="label">Things</h3>
        <Things label="Things in the room" items={items} empty="Nothing lies here." />
      </div>
    </div>
  );
}
