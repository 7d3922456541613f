/** What the game is, with a piece of it, in the sentences of the server. */
import styles from './tale.module.css';

export const Tale = () => (
  <div className={styles.tale}>
    <h2>A world of words, shared by everybody in it</h2>
    <p>
      Walk through rooms, take what lies around, wear it, trade it, and talk to the people you meet. What one player
      does, the others in the room see at once. Type what you want to do, or click and tap.
    </p>
    <div className={styles.piece} aria-hidden="true">
      <p className={styles.typed}>› go north</p>
      <p>
        <strong>The lighthouse stairs</strong>
        <br />
        Stone steps wind up into the dark.
        <br />
        Exits: south, up. Here: lantern.
      </p>
      <p>
        <em>Mira</em> comes in.
      </p>
      <p className={styles.typed}>› take lantern</p>
      <p>
        <em>Mira</em> takes the lantern.
      </p>
      <p className={styles.refused}>The lantern is gone: Mira has it.</p>
      <p>
        <em>Mira</em> says: Follow me.
      </p>
    </div>
  </div>
);
