/** The game: a terminal, and beside it the room, the people, what the character carries, and the map. */
import { useEffect, useMemo, useState } from 'react';
import { navigate, useLocation } from '../../kit/base/location.js';
import { NARROW, useMedia } from '../../kit/base/media.js';
import { Link } from '../../kit/controls/link.js';
import { Empty } from '../../kit/display/notice.js';
import { Skeleton } from '../../kit/display/skeleton.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { Beginning } from '../characters/beginning.js';
import { type OwnCharacter, playAddress, useCharacters } from '../characters/characters.js';
import { lastPlayed, notePlayed } from '../screen/kept-here.js';
import { usePlay } from '../screen/play.js';
import type { Somebody } from '../screen/types.js';
import { useGoods } from '../screen/use-goods.js';
import { BagCard, Vitals } from './bag-card.js';
import { CharacterMenu } from './character-menu.js';
import { MapView } from './map-view.js';
import styles from './play-page.module.css';
import { type Playing, PlayingContext, type Voice } from './playing.js';
import { Prompt } from './prompt.js';
import { RoomCard } from './room-card.js';
import { Sheets } from './sheets.js';
import { Terminal } from './terminal.js';
import { TradeModal } from './trade-modal.js';

export function PlayPage() {
  const answer = useCharacters();
  const { characters } = answer;
  const wanted = useLocation().query.get('character') ?? lastPlayed();
  const start = (id: string) => {
    answer.again();
    navigate(playAddress(id));
  };
  if (!characters) return answer.error ? <Waiting {...answer} data={null} rows={4} /> : <PlaySkeleton />;
  const chosen = characters.find(({ id }) => id === wanted) ?? characters[0];
  if (!chosen) return <Beginning onCreated={start} />;
  return <PlayedCharacter key={chosen.id} id={chosen.id} characters={characters} />;
}

interface PlayedProps {
  readonly id: string;
  readonly characters: readonly OwnCharacter[];
}

function PlayedCharacter({ id, characters }: PlayedProps) {
  const { now, ...play } = usePlay(id);
  const { screen, refused } = now;
  const [voice, speak] = useState<Voice | null>(null);
  const [keeper, trade] = useState<Somebody | null>(null);
  const goods = useGoods(screen, keeper?.id ?? null);
  const isNarrow = useMedia(NARROW);
  useEffect(() => notePlayed(id), [id]);
  const { state, start, act, walk, discard } = play;
  const playing = useMemo<Playing | null>(
    () =>
      screen && {
        play: { state, start, act, walk, discard },
        now,
        screen,
        choose: (choice) => act(choice.act, choice.typed),
        voice,
        speak,
        trade,
        goods,
      },
    [state, start, act, walk, discard, now, screen, voice, goods],
  );
  if (refused !== null)
    return (
      <Empty
        icon="compass"
        title="This character cannot be played"
        action={<Link href="/game/characters">Your characters</Link>}
      >
        {refused}
      </Empty>
    );
  if (!playing) return <PlaySkeleton />;
  return (
    <PlayingContext value={playing}>
      <div className={styles.play}>
        <div className={styles.bar}>
          <CharacterMenu characters={characters} />
          <Vitals />
        </div>
        <Terminal>
          <Prompt />
          {isNarrow && <Sheets />}
        </Terminal>
        {!isNarrow && (
          <>
            <div className={styles.side}>
              <RoomCard />
            </div>
            <div className={`${styles.side} ${styles.last}`}>
              <section className={`card ${styles.map}`} aria-label="Map">
                <MapView />
              </section>
              <BagCard />
            </div>
          </>
        )}
      </div>
      {keeper && <TradeModal keeper={keeper} onClose={() => trade(null)} />}
    </PlayingContext>
  );
}

const PlaySkeleton = () => (
  <div className={styles.play} role="status" aria-label="Loading">
    <div className={styles.bar}>
      <Skeleton width="220px" height="32px" />
    </div>
    <Skeleton height="100%" />
    <div className={styles.side}>
      <Skeleton height="320px" />
    </div>
    <div className={styles.side}>
      <Skeleton height="260px" />
      <Skeleton height="160px" />
    </div>
  </div>
);
