/** What the game is, with a piece of it. */
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
        Stone steps wind up into the dark. Somebody has left a lantern here.
      </p>
      <p>
        <em>Mira</em> comes from the south.
      </p>
      <p className={styles.typed}>› take lantern</p>
      <p className={styles.refused}>Mira was faster: she has it.</p>
      <p>
        <em>Mira</em> says, “Follow me.”
      </p>
    </div>
  </div>
);
