/**
 * What the public site shows, as plain values: the finders read them from the models, the pages and feeds write them as text.
 * Paths are absolute within the site (`/blog/hello`) and URL-encoded; only `origin` has a host.
 */

export interface LinkView {
  readonly title: string;
  readonly path: string;
}

export interface FeedsView {
  readonly rss: string;
  readonly atom: string;
  readonly json: string;
}

export interface PictureView {
  readonly src: string;
  /** The widths to choose from, in the format of the attribute. Empty for a picture with a single size. */
  readonly srcset: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
}

export interface VideoView {
  /** Where the video can be watched on its own site. */
  readonly pageUrl: string;
  /** What plays it in a frame. Null on a site that is not known. */
  readonly embedUrl: string | null;
  /** Who learns of the visit when the video is played, for example `YouTube`. */
  readonly host: string;
}

/** The leaves of the tree: what has a text, a picture or both. */
export type EntryType = 'PAGE' | 'BLOG_POST' | 'PHOTO' | 'VIDEO' | 'IMAGE' | 'QUOTE';

export interface EntryView {
  /** The global id. */
  readonly id: string;
  readonly type: EntryType;
  /** Changes with every edit. */
  readonly nonce: string;
  readonly path: string;
  readonly title: string;
  /** Plain text. */
  readonly excerpt: string;
  /** 0 if there is nothing to read. */
  readonly readingMinutes: number;
  /** Sanitized. Empty where a list does not show it. */
  readonly html: string;
  /** Null when the account was deleted. */
  readonly author: string | null;
  readonly publishedAt: Date;
  readonly editedAt: Date;
  readonly tags: readonly LinkView[];
  readonly picture: PictureView | null;
  readonly video: VideoView | null;
  /** Of a quotation: who said it, or where. */
  readonly source: string;
}

/** The same on every page. */
export interface SiteView {
  /** For example `https://example.org`. */
  readonly origin: string;
  readonly title: string;
  readonly home: string;
  readonly menu: readonly LinkView[];
  /** The style sheet, which is part of each page: nothing else has to be loaded before the first line is shown. */
  readonly styles: string;
  readonly script: string | null;
  /** The site whose hits analytics counts. Null while that domain is off. */
  readonly countedAs: string | null;
}

/** A zone for ads, which its script fills. */
export interface AdPlaceView {
  readonly site: string;
  readonly zone: string;
  readonly size: string;
  /** What the page is about. */
  readonly keywords: readonly string[];
}

export interface BlogView {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly feeds: FeedsView;
}

/** A page of a list, newest first. */
export interface ListView {
  readonly entries: readonly EntryView[];
  /** Whether these are the newest. */
  readonly isFirst: boolean;
  /** The next page of older entries. */
  readonly older: string | null;
}

export interface GalleryView {
  readonly id: string;
  readonly nonce: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
}

export interface FolderView {
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly children: readonly (LinkView & { readonly excerpt: string })[];
}

export interface CommentView {
  /** Unique on the page: its number in the discussion. */
  readonly name: string;
  /** With the names of the comments that it is below. */
  readonly slug: string;
  readonly author: string;
  readonly postedAt: Date;
  readonly editedAt: Date | null;
  /** Sanitized. Null where the text is not shown. */
  readonly html: string | null;
  readonly state: 'PUBLISHED' | 'HELD' | 'HIDDEN' | 'DELETED';
  readonly replyCount: number;
}

export interface ThreadView {
  readonly comment: CommentView;
  readonly replies: readonly ThreadView[];
}

/** What was sent and not posted. */
export interface DraftView {
  readonly text: string;
  readonly name: string;
  /** The slug of the comment that it replies to. */
  readonly replyTo: string | null;
  /** Why it was not posted. */
  readonly message: string;
}

export interface DiscussionView {
  /** The global id of what it is about. */
  readonly on: string;
  /** Where that is. */
  readonly path: string;
  readonly policy: 'NOBODY' | 'MEMBERS' | 'EVERYBODY';
  /** Of the whole discussion. */
  readonly count: number;
  /** A page of them. */
  readonly threads: readonly ThreadView[];
  readonly isFromBeginning: boolean;
  /** The next page. */
  readonly more: string | null;
  /** Whether the reader has just posted a comment that waits for a moderator. */
  readonly isHeld: boolean;
  readonly draft: DraftView | null;
}
