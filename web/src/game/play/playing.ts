/** The played character, for the parts of its page. */
import { createContext, useContext } from 'react';
import type { Choice } from '../screen/choices.js';
import type { Play, PlayState } from '../screen/play.js';
import type { Item, Screen, Somebody } from '../screen/types.js';

/** What is typed is said: to everybody in the room, or whispered to somebody. */
export interface Voice {
  readonly to: Somebody | null;
}

export interface Playing {
  readonly play: Play;
  readonly now: PlayState;
  readonly screen: Screen;
  readonly choose: (choice: Choice) => void;
  /** Null: what is typed is a command. */
  readonly voice: Voice | null;
  readonly speak: (voice: Voice | null) => void;
  readonly trade: (keeper: Somebody) => void;
  /** What the shopkeepers in the room sell. */
  readonly goods: readonly Item[];
}

export const PlayingContext = createContext<Playing | null>(null);

export function usePlaying(): Playing {
  const playing = useContext(PlayingContext);
  if (!playing) throw new Error('Only within the page of a played character');
  return playing;
}
