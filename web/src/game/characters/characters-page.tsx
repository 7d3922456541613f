/** The viewer's characters: play one, create one, delete one. */
import { useState } from 'react';
import { formatCount } from '../../kit/base/format.js';
import { navigate } from '../../kit/base/location.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Link } from '../../kit/controls/link.js';
import { Modal } from '../../kit/controls/modal.js';
import { Icon } from '../../kit/display/icon.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { ShareLink } from '../../shell/share-link.js';
import { classWords } from '../parts/class-words.js';
import { Portrait } from '../parts/portrait.js';
import { Beginning } from './beginning.js';
import {
  CHARACTERS_MAX,
  characterAddress,
  deleteCharacter,
  type OwnCharacter,
  playAddress,
  useCharacters,
} from './characters.js';
import styles from './characters-page.module.css';
import { CreateForm } from './create-form.js';

const play = (id: string) => navigate(playAddress(id));

export function CharactersPage() {
  const answer = useCharacters();
  const { characters } = answer;
  const [isCreating, create] = useState(false);
  if (characters?.length === 0) return <Beginning onCreated={play} />;
  return (
    <>
      <Waiting {...answer} data={characters} rows={3} height="120px" />
      {characters && (
        <ul className={styles.cards} aria-label="Your characters">
          {characters.map((character) => (
            <li key={character.id}>
              <CharacterCard character={character} />
            </li>
          ))}
          {characters.length < CHARACTERS_MAX && (
            <li>
              <button type="button" className={styles.new} onClick={() => create(true)}>
                <Icon name="plus" size={22} />
                New character
              </button>
            </li>
          )}
        </ul>
      )}
      <Modal title="A new character" open={isCreating} onOpenChange={create} sheet>
        <CreateForm onCreated={play} />
      </Modal>
    </>
  );
}

function CharacterCard({ character }: { character: OwnCharacter }) {
  const { id, name, class: is, health, mana, gold, location } = character;
  const [asks, ask] = useState(false);
  return (
    <article className={`card ${styles.card}`} aria-label={name}>
      <div className={styles.head}>
        <Portrait name={name} />
        <div>
          <h2>
            <Link href={characterAddress(id)}>{name}</Link>
          </h2>
          <p className="note">
            {classWords[is].name}, in {location.name}
          </p>
        </div>
      </div>
      <p className={styles.facts}>
        <span>
          <Icon name="heart" size={14} /> {formatCount(health)} health
        </span>
        <span>
          <Icon name="spark" size={14} /> {formatCount(mana)} mana
        </span>
        <span>
          <Icon name="coin" size={14} /> {formatCount(gold)} gold
        </span>
      </p>
      <div className={styles.acts}>
        <Link className="button primary" href={playAddress(id)} aria-label={`Play ${name}`}>
          Play
        </Link>
        <ShareLink id={id} />
        <button type="button" className="button quiet icon" aria-label={`Delete ${name}`} onClick={() => ask(true)}>
          <Icon name="trash" />
        </button>
      </div>
      {asks && (
        <Confirmation
          title={`Delete ${name}?`}
          consequence={`What ${name} carries stays in the room. The gold is gone, and others may take the name. This cannot be undone.`}
          no="Keep"
          yes={`Delete ${name}`}
          act={() => deleteCharacter(id)}
          onClose={() => ask(false)}
        />
      )}
    </article>
  );
}
