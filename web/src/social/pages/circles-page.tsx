/** The viewer's circles, and people to put into them. */
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Card } from '../../kit/display/card.js';
import { Empty, Failure, Notice } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { createCircle, useCircles } from '../data/network.js';
import { CircleCard } from '../network/circle-card.js';
import { Joined } from '../network/joined.js';
import { PeopleShelf } from '../network/people-shelf.js';
import { PersonSkeletons } from '../network/person-skeletons.js';
import styles from './page.module.css';

export const CirclesPage = () => <Joined waiting={<CirclesSkeleton />}>{() => <Circles />}</Joined>;

function Circles() {
  const { data, error, again } = useCircles();
  return (
    <div className={styles.circles}>
      <PeopleShelf />
      <div>
        <NewCircle />
        {data?.circles.length === 0 && (
          <Empty icon="circles" title="You have no circles yet">
            Create one, for example “Friends”, and put people into it. Nobody else sees your circles.
          </Empty>
        )}
        {error && <Failure again={again}>{error}</Failure>}
        <div className={styles.cards}>
          {!data && !error && <CardSkeletons />}
          {data?.circles.map((circle) => (
            <CircleCard key={circle.id} circle={circle} />
          ))}
        </div>
      </div>
    </div>
  );
}

const CardSkeletons = () =>
  [1, 2, 3].map((at) => (
    <div key={at} role="status" aria-label="Loading">
      <Skeleton height="112px" />
    </div>
  ));

const CirclesSkeleton = () => (
  <div className={styles.circles}>
    <Card title="Your followers">
      <PersonSkeletons count={5} />
    </Card>
    <div>
      <div className={styles.add}>
        <Skeleton height="36px" />
      </div>
      <div className={styles.cards}>
        <CardSkeletons />
      </div>
    </div>
  </div>
);

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
          dir="auto"
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
