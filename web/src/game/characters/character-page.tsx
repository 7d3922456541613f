/** A character as everybody sees it: where links from the network lead. */
import { graphql } from '../../../generated/gql.js';
import { useData } from '../../api/use-data.js';
import { useLocation } from '../../kit/base/location.js';
import { useTitle } from '../../kit/base/title.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { idIn } from '../../shell/section.js';
import { ShareLink } from '../../shell/share-link.js';
import { classWords, roleWords } from '../parts/class-words.js';
import { Portrait } from '../parts/portrait.js';
import styles from './character-page.module.css';
import { playAddress, useCharacters } from './characters.js';

const CharacterDocument = graphql(`
  query Character($id: ID!) {
    node(id: $id) { __typename id ... on Character { name class role } }
  }
`);

export const CHARACTER_PATH = '/game/characters/:id';

export function CharacterPage() {
  const id = idIn(CHARACTER_PATH, useLocation().path) ?? '';
  const answer = useData(CharacterDocument, { id });
  const own = useCharacters().characters?.find((character) => character.id === id);
  const character = answer.data?.node?.__typename === 'Character' ? answer.data.node : null;
  useTitle(character?.name ?? 'Character');
  if (!answer.data) return <Waiting {...answer} rows={1} height="180px" />;
  if (!character)
    return (
      <Empty icon="compass" title="There is no such character" action={<Link href="/game">To the game</Link>}>
        It was deleted, or the link is incomplete.
      </Empty>
    );
  const { name, class: is, role } = character;
  return (
    <article className={`card ${styles.card}`} aria-label={name}>
      <Portrait name={name} />
      <div>
        <h2>{name}</h2>
        <p className="note">
          {classWords[is].name}. {roleWords[role]}.
        </p>
      </div>
      {own && <p>In {own.location.name}.</p>}
      <div className={styles.acts}>
        <Link className="button primary" href={own ? playAddress(id) : '/game'}>
          {own ? `Play ${name}` : 'Play yourself'}
        </Link>
        <ShareLink id={id} />
      </div>
    </article>
  );
}
