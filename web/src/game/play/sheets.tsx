/** On a narrow page, what is beside the terminal on a wide one: one sheet at a time. */
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../kit/base/format.js';
import { Modal } from '../../kit/controls/modal.js';
import { Icon, type IconName } from '../../kit/display/icon.js';
import { Bag } from './bag-card.js';
import { MapView } from './map-view.js';
import { type Playing, PlayingContext, usePlaying } from './playing.js';
import { Room } from './room-card.js';
import styles from './sheets.module.css';

type SheetName = 'room' | 'bag' | 'map';

export function Sheets() {
  const playing = usePlaying();
  const { screen } = playing;
  const { location, inventory } = screen;
  const [open, setOpen] = useState<SheetName | null>(null);
  const around = location.players.length - 1 + location.items.length;
  const button = (name: SheetName, icon: IconName, words: string, count: number | null) => (
    <button type="button" className={styles.tab} onClick={() => setOpen(name)}>
      <Icon name={icon} size={18} />
      {words}
      {count !== null && count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
    </button>
  );
  const contents: Readonly<Record<SheetName, readonly [title: string, content: ReactNode]>> = {
    room: [location.name, <Room key="room" />],
    bag: ['You carry', <Bag key="bag" />],
    map: [
      'Map',
      <div key="map" className={styles.map}>
        <MapView />
      </div>,
    ],
  };
  const [title, content] = contents[open ?? 'room'];
  return (
    <div className={styles.tabs}>
      {button('room', 'compass', 'Here', around)}
      {button('bag', 'bag', 'Bag', inventory.length)}
      {button('map', 'map', 'Map', null)}
      {open && (
        <Modal title={title} open onOpenChange={() => setOpen(null)} sheet>
          <PlayingContext value={closing(playing, () => setOpen(null))}>{content}</PlayingContext>
        </Modal>
      )}
    </div>
  );
}

/** What is chosen in a sheet closes it: what comes of it is seen in the terminal. */
const closing = (playing: Playing, close: () => void): Playing => ({
  ...playing,
  choose: (choice) => {
    close();
    playing.choose(choice);
  },
  speak: (voice) => {
    close();
    playing.speak(voice);
  },
  trade: (keeper) => {
    close();
    playing.trade(keeper);
  },
});
