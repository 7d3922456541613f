/** Who is played, and the way to another one. */
import { DropdownMenu } from 'radix-ui';
import { useDomain } from '../../api/use-domain.js';
import { navigate } from '../../kit/base/location.js';
import { Icon } from '../../kit/display/icon.js';
import { shareAddress } from '../../shell/share-link.js';
import { type OwnCharacter, playAddress } from '../characters/characters.js';
import { classWords } from '../parts/class-words.js';
import { Portrait } from '../parts/portrait.js';
import styles from './character-menu.module.css';
import { usePlaying } from './playing.js';

export function CharacterMenu({ characters }: { characters: readonly OwnCharacter[] }) {
  const { screen } = usePlaying();
  const hasNetwork = useDomain('social');
  const { id, name, intrinsics } = screen;
  const { strength, dexterity, intelligence, charisma } = intrinsics;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={styles.trigger}>
        <Portrait name={name} size={30} />
        <span>
          <strong>{name}</strong> <span className="note">{classWords[screen.class].name}</span>
          <span className="hidden"> Choose a character</span>
        </span>
        <Icon name="chevron" size={12} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          <DropdownMenu.Label className="menu-label">
            Strength {strength}, dexterity {dexterity}, intelligence {intelligence}, charisma {charisma}
          </DropdownMenu.Label>
          {characters
            .filter((other) => other.id !== id)
            .map((other) => (
              <DropdownMenu.Item key={other.id} className="menu-item" onSelect={() => navigate(playAddress(other.id))}>
                Play {other.name}
                <span className="menu-detail">{other.location.name}</span>
              </DropdownMenu.Item>
            ))}
          {hasNetwork && (
            <DropdownMenu.Item className="menu-item" onSelect={() => navigate(shareAddress(id))}>
              Share {name} in the network
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item className="menu-item" onSelect={() => navigate('/game/characters')}>
            All characters
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
