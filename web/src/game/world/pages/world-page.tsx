/** For editors: the rooms of the world as a map, and one of them to edit. */
import { useMemo, useState } from 'react';
import { formatCountOf } from '../../../kit/base/format.js';
import { navigate, useLocation } from '../../../kit/base/location.js';
import { SearchBox } from '../../../kit/controls/combobox.js';
import { Card } from '../../../kit/display/card.js';
import { Icon } from '../../../kit/display/icon.js';
import { Empty, Failure, Notice } from '../../../kit/display/notice.js';
import { Skeleton } from '../../../kit/display/skeleton.js';
import { SeedCard } from '../../../shell/seed/seed-card.js';
import type { Cell } from '../../map/place.js';
import { WorldCanvas } from '../canvas/world-canvas.js';
import { type Crowd, useCrowds } from '../data/crowds.js';
import { useWorld, type WorldRoom } from '../data/world.js';
import { LinkModal, NewRoomModal } from '../room/link-modal.js';
import { RoomPanel } from '../room/room-panel.js';
import styles from './world-page.module.css';

type Asked =
  | { readonly what: 'room'; readonly link: { from: WorldRoom; cells: readonly [Cell, Cell] } | null }
  | { readonly what: 'exit'; readonly from: WorldRoom; readonly to: WorldRoom; readonly cells: readonly [Cell, Cell] }
  | null;

const FOUND_MAX = 12;
const noCrowds: ReadonlyMap<string, Crowd> = new Map();

/** The chosen room is in the address, by its key. */
const addressOf = (key: string | null) =>
  key === null ? '/game/world' : `/game/world?room=${encodeURIComponent(key)}`;

export function WorldPage() {
  const { rooms, failure, again } = useWorld();
  const { state: crowds, refused } = useCrowds();
  const [asked, ask] = useState<Asked>(null);
  const chosenKey = useLocation().query.get('room');
  const chosen = rooms?.find(({ key }) => key === chosenKey) ?? null;
  const choose = (id: string | null) =>
    navigate(addressOf(rooms?.find((room) => room.id === id)?.key ?? null), { replace: true });
  const close = () => ask(null);
  if (!rooms) return failure ? <Failure again={again}>{failure}</Failure> : <WorldSkeleton />;
  return (
    <>
      {failure && (
        <Failure again={again} old>
          {failure}
        </Failure>
      )}
      {refused !== null && <Notice tone="bad">{refused}</Notice>}
      <div className={styles.page} data-open={chosen !== null}>
        <section className={`card ${styles.map}`} aria-label="World">
          <header className={styles.bar}>
            <FindRoom rooms={rooms} onFound={choose} />
            <span className="note">{formatCountOf(rooms.length, 'room')}</span>
            <button type="button" className="button primary" onClick={() => ask({ what: 'room', link: null })}>
              <Icon name="plus" /> New room
            </button>
          </header>
          {rooms.length === 0 ? (
            <Empty icon="map" title="The world has no rooms yet">
              Create the first one, where new characters begin, or import a world.
            </Empty>
          ) : (
            <WorldCanvas
              rooms={rooms}
              crowds={crowds ?? noCrowds}
              chosen={chosen?.id ?? null}
              onChoose={choose}
              onLink={(from, to, cells) => ask({ what: 'exit', from, to, cells })}
              onLinkNew={(from, cells) => ask({ what: 'room', link: { from, cells } })}
            />
          )}
        </section>
        <div className={styles.side}>
          <SeedCard domain="game" next="Close" onAdded={again}>
            A village on the shore whose lighthouse has gone dark: 17 rooms, five folk of whom two trade, and 35 items.
            You can undo it later: what was not moved, traded or changed is removed.
          </SeedCard>
          {chosen ? (
            <RoomPanel key={chosen.id} room={chosen} rooms={rooms} onSaved={again} onClose={() => choose(null)} />
          ) : (
            <Overview crowds={crowds} onChoose={choose} />
          )}
        </div>
      </div>
      {asked?.what === 'room' && (
        <NewRoomModal
          rooms={rooms}
          link={asked.link}
          onSaved={(key) => {
            again();
            navigate(addressOf(key), { replace: true });
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'exit' && <LinkModal {...asked} onSaved={again} onClose={close} />}
    </>
  );
}

const WorldSkeleton = () => (
  <div className={styles.page} role="status" aria-label="Loading">
    <Skeleton height="100%" />
    <div className={styles.side}>
      <Skeleton height="160px" />
      <Skeleton height="140px" />
    </div>
  </div>
);

function FindRoom({ rooms, onFound }: { rooms: readonly WorldRoom[]; onFound: (id: string) => void }) {
  const [text, setText] = useState('');
  const found = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') return [];
    return rooms
      .filter(({ key, name }) => name.toLowerCase().includes(wanted) || key.toLowerCase().includes(wanted))
      .slice(0, FOUND_MAX);
  }, [rooms, text]);
  const go = (id: string | undefined) => {
    if (id === undefined) return;
    setText('');
    onFound(id);
  };
  return (
    <SearchBox
      label="Find a room"
      listLabel="Rooms"
      text={text}
      onText={setText}
      options={found.map(({ id, key, name }) => ({
        value: id,
        content: (
          <>
            {name} <span className="menu-detail">{key}</span>
          </>
        ),
      }))}
      onChoose={go}
      onEnter={() => go(found[0]?.id)}
    />
  );
}

interface OverviewProps {
  /** Null until they are known. */
  readonly crowds: ReadonlyMap<string, Crowd> | null;
  readonly onChoose: (id: string) => void;
}

/** Beside the map while no room is chosen. */
function Overview({ crowds, onChoose }: OverviewProps) {
  const all = crowds && [...crowds.values()].toSorted((a, b) => b.online - a.online || b.players - a.players);
  return (
    <>
      <Card title="Build">
        <ul className={styles.help}>
          <li>Click a room to edit it; drag it to where it should be drawn.</li>
          <li>Drag from its blue handle to another room to make an exit, or to an empty place to make a room.</li>
          <li>The room with the thick brass border is where new characters begin.</li>
        </ul>
      </Card>
      <Card title="Who is where">
        {!all && <Skeleton height="60px" />}
        {all?.length === 0 && <p className="note">Nobody is in the world.</p>}
        <ul className={styles.crowds} aria-label="Crowds">
          {all?.map(({ locationId, name, online, players }) => (
            <li key={locationId}>
              <button type="button" className={styles.crowd} onClick={() => onChoose(locationId)}>
                <span className="cut">{name}</span>
                <span className="note">
                  {online > 0 && <strong className={styles.online}>{online} online</strong>} {players} here
                </span>
              </button>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
