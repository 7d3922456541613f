/** The discussion below an entry, complete without script: reading, replying in place, and folding. */

import { prose } from './entry.js';
import { html, type Markup } from './html.js';
import type { CommentView, DiscussionView, DraftView, ThreadView } from './views.js';

const TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const TEXT_LENGTH_MAX = 10_000;
const NAME_LENGTH_MAX = 100;

export const discussionPart = (discussion: DiscussionView): Markup =>
  html`<section class="discussion" id="discussion" aria-labelledby="discussion-title" data-on="${discussion.on}" data-policy="${discussion.policy}">
<h2 id="discussion-title">${countOf(discussion)}</h2>
${discussion.isHeld && html`<p class="discussion-note" role="status">Thank you. Your comment will appear as soon as a moderator has published it.</p>`}
${!discussion.isFromBeginning && html`<p class="discussion-note"><a href="${discussion.path}#discussion">Show the discussion from its beginning</a></p>`}
${discussion.threads.length > 0 && threads(discussion.threads, discussion)}
${discussion.more !== null && html`<p class="discussion-more"><a href="${discussion.more}#discussion" rel="next nofollow">Show more comments</a></p>`}
${discussion.policy === 'NOBODY' ? html`<p class="discussion-note">The discussion is closed.</p>` : form(discussion, null)}
</section>`;

const countOf = ({ count }: DiscussionView): string => {
  if (count === 0) return 'No comments yet';
  return count === 1 ? '1 comment' : `${count.toLocaleString('en-US')} comments`;
};

const threads = (list: readonly ThreadView[], discussion: DiscussionView): Markup =>
  html`<ol class="comments">${list.map(({ comment, replies }) => html`<li>${commentPart(comment, discussion)}${replies.length > 0 && repliesPart(comment, replies, discussion)}</li>`)}</ol>`;

const repliesPart = ({ replyCount }: CommentView, replies: readonly ThreadView[], discussion: DiscussionView): Markup =>
  html`<details class="replies" open><summary>${replyCount === 1 ? '1 reply' : `${Math.max(replyCount, replies.length)} replies`}</summary>${threads(replies, discussion)}</details>`;

const commentPart = (comment: CommentView, discussion: DiscussionView): Markup =>
  html`<article class="comment" id="comment-${comment.name}" aria-label="Comment by ${comment.author}">
<p class="comment-head"><bdi class="comment-author">${comment.author}</bdi> <a href="${discussion.path}?comment=${comment.slug}#comment-${comment.name}" rel="nofollow">${moment(comment.postedAt)}</a>${comment.editedAt && html` <span title="${TIME.format(comment.editedAt)} UTC">edited</span>`}</p>
${comment.html === null ? html`<p class="comment-note">${ABSENT[comment.state]}</p>` : html`<div class="comment-text" dir="auto">${prose(comment.html)}</div>`}
${comment.html !== null && discussion.policy !== 'NOBODY' && replyPart(comment, discussion)}
</article>`;

const ABSENT: Readonly<Record<CommentView['state'], string>> = {
  PUBLISHED: '',
  HELD: '',
  HIDDEN: 'A moderator has hidden this comment.',
  DELETED: 'This comment was deleted.',
};

const moment = (date: Date): Markup => html`<time datetime="${date.toISOString()}">${TIME.format(date)} UTC</time>`;

const replyPart = (comment: CommentView, discussion: DiscussionView): Markup =>
  html`<div class="comment-actions"><details${discussion.draft?.replyTo === comment.slug && html` open`}><summary aria-label="Reply to ${comment.author}">Reply</summary>${form(discussion, comment)}</details></div>`;

/** @param above the comment that it replies to */
function form({ path, policy, draft }: DiscussionView, above: CommentView | null): Markup {
  const written = draft !== null && draft.replyTo === (above?.slug ?? null) ? draft : null;
  return html`<form class="comment-form" method="post" action="${path}#discussion">
${written && html`<p role="alert">${written.message}</p>`}
${above && html`<input type="hidden" name="replyTo" value="${above.slug}">`}
<label><span>${above ? `Your reply to ${above.author}` : 'Your comment'} <small>Markdown, for example **bold** or a [link](https://…)</small></span><textarea name="text" required maxlength="${TEXT_LENGTH_MAX}" rows="4">${textOf(written)}</textarea></label>
${policy === 'EVERYBODY' && html`<label><span>Your name <small>Members are named by their account. Comments of others wait for a moderator.</small></span><input name="name" maxlength="${NAME_LENGTH_MAX}" autocomplete="name" value="${written?.name ?? ''}"></label>`}
${policy === 'MEMBERS' && html`<p class="form-note">Only members can comment. <a href="/" target="_blank">Sign in</a> first: the text stays here.</p>`}
<button type="submit">${above ? 'Post reply' : 'Post comment'}</button>
</form>`;
}

/** Parsers drop a line break at the beginning. */
const textOf = (draft: DraftView | null): string => (draft === null ? '' : `\n${draft.text}`);
