import { Link } from '../../kit/controls/link.js';
import { wallOf } from '../parts/links.js';
import styles from './person.module.css';

interface PersonProps {
  /** Null: there is no wall to lead to. */
  readonly id: string | null | undefined;
  readonly name: string;
}

/** The name of a person in a sentence, as a link to the wall. */
export const Person = ({ id, name }: PersonProps) =>
  id ? (
    <Link href={wallOf(id)} className={styles.name}>
      <bdi>{name}</bdi>
    </Link>
  ) : (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
