/** What is on the screen of a character. */
import type { GameItemFragment, GameScreenFragment } from '../../../generated/graphql.js';

export type Screen = GameScreenFragment;
export type Item = GameItemFragment;
export type Room = Screen['location'];
export type Exit = Room['exits'][number];
export type Somebody = Room['players'][number];
export type Happening = Screen['happenings'][number];
