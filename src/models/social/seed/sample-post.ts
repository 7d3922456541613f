/** How the posts of the sample network are written down. */
import type { Moment } from '../../seed.js';
import type { DrawingName } from '../../system/sample-pictures/drawing.js';
import type { SampleKey } from './sample-people.js';

export interface SampleComment {
  readonly by: SampleKey;
  readonly at: Moment;
  readonly text: string;
  /** Those that reply to it. */
  readonly replies?: readonly SampleComment[];
}

interface AnySamplePost {
  /** Unique among them. */
  readonly key: string;
  readonly by: SampleKey;
  /** Whose wall it is on. Absent: the author's. */
  readonly on?: SampleKey;
  readonly at: Moment;
  readonly text?: string;
  /** Names of the author's circles that it is shared with, or all of them. Absent: everybody sees it. */
  readonly circles?: readonly string[] | 'ALL';
  /** In the order of time. */
  readonly comments?: readonly SampleComment[];
}

/** What a post has besides a text, by its type. */
type SampleDetail =
  | { readonly type: 'STATUS' }
  | { readonly type: 'PHOTO'; readonly drawing: DrawingName; readonly description: string }
  | { readonly type: 'LINK'; readonly url: string; readonly title: string }
  | { readonly type: 'CHECK_IN'; readonly title: string; readonly latitude: number; readonly longitude: number }
  | {
      readonly type: 'POLL';
      readonly question: string;
      readonly options: readonly string[];
      /** Days after the domain was filled. Absent: it does not end. */
      readonly closesAfterDays?: number;
      /** By voter: the number of the option. */
      readonly votes: Readonly<Partial<Record<SampleKey, number>>>;
    };

export type SamplePost = AnySamplePost & SampleDetail;
