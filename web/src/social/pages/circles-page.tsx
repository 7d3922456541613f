/** The viewer's circles, and people to put into them. */
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { createCircle, useCircles } from '../data/network.js';
import { CircleCard } from '../network/circle-card.js';
import { Joined } from '../network/joined.js';
import { PeopleShelf } from '../network/people-shelf.js';
import styles from './page.module.css';

export const CirclesPage = () => <Joined>{() => <Circles />}</Joined>;

function Circles() {
  const answer = useCircles();
  const { data } = answer;
  return (
    <div className={styles.circles}>
      <PeopleShelf />
      <div>
        <NewCircle />
        {!data && <Waiting {...answer} rows={3} height="120px" />}
        {data?.circles.length === 0 && (
          <Empty icon="circles" title="You have no circles yet">
            Create one, for example “Friends”, and put people into it. Nobody else sees your circles.
          </Empty>
        )}
        <div className={styles.cards}>
          {data?.circles.map((circle) => (
            <CircleCard key={circle.id} circle={circle} />
          ))}
        </div>
      </div>
    </div>
  );
}

function NewCircle() {
  const { busy, refusal, submit } = useForm(async (fields, form) => {
    const made = await createCircle(textOf(fields, 'name').trim());
    if (typeof made === 'string') return made;
    form.reset();
    return null;
  });
  return (
    <>
      <form className={styles.add} onSubmit={submit}>
        <input
          className="input"
          name="name"
          aria-label="Name of a new circle"
          placeholder="Name of a new circle"
          maxLength={50}
          required
        />
        <button type="submit" className="button primary" disabled={busy}>
          Create circle
        </button>
      </form>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
    </>
  );
}
