/** A short title for a post, where only one line is shown. */
import type { PostDocument } from './post.js';

const LENGTH_MAX = 80;

export function postTitle({ text, detail, type }: Pick<PostDocument, 'text' | 'detail' | 'type'>): string {
  const line = (detail?.question || text || detail?.title || detail?.url || '').split('\n', 1)[0]?.trim() ?? '';
  const title = line === '' ? TYPE_TITLES[type] : line;
  const characters = [...title];
  return characters.length > LENGTH_MAX ? `${characters.slice(0, LENGTH_MAX - 1).join('')}…` : title;
}

const TYPE_TITLES = { STATUS: 'Post', PHOTO: 'Photo', LINK: 'Link', CHECK_IN: 'Check-in', POLL: 'Poll' } as const;
