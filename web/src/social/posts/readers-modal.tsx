/** Who can see an own post, and how far it is on its way into their news. */
import { useState } from 'react';
import type { VisibilityRule } from '../../../generated/graphql.js';
import { usePolling } from '../../api/polling.js';
import { useData } from '../../api/use-data.js';
import { formatCount, formatCountOf } from '../../kit/base/format.js';
import { Modal } from '../../kit/controls/modal.js';
import { Notice } from '../../kit/display/notice.js';
import { SkeletonRows } from '../../kit/display/skeleton.js';
import { ExplainVisibilityDocument, PostReachDocument } from '../data/documents.js';
import type { Post } from '../data/post-list.js';
import { PersonField } from '../network/person-field.js';
import styles from './form.module.css';

const POLL_MS = 2_000;

const rules: Readonly<Record<VisibilityRule, string>> = {
  DELETED: 'the post was deleted',
  OWN: 'it is their own post',
  LEFT: 'the owner of the wall has left the network',
  BLOCKED: 'you have blocked them',
  ON_OWN_WALL: 'it is on their own wall',
  PUBLIC: 'it is public',
  IN_A_CIRCLE: 'they are in a circle that it is shared with',
  NOT_IN_A_CIRCLE: 'they are in none of the circles that it is shared with',
};

export function ReadersModal({ post, onClose }: { post: Post; onClose: () => void }) {
  return (
    <Modal title="Who can see this?" description={sharedWith(post)} open onOpenChange={onClose}>
      <div className={styles.form}>
        <Check post={post} />
        <Reach id={post.id} />
      </div>
    </Modal>
  );
}

function sharedWith({ audience, circles, onWallOf }: Post): string {
  if (audience === 'PUBLIC') return 'Everybody, including visitors.';
  const owner = onWallOf?.name ? ` and ${onWallOf.name}, on whose wall it is` : ''; // one who has left sees nothing
  if (audience === 'MY_CIRCLES') return `Everybody whom you have in any circle${owner}.`;
  if (circles.length === 0) return `Only you${owner}: the circles that it was shared with are gone.`;
  const names = circles.map(({ name }) => name).join(', ');
  return owner === '' ? `Everybody whom you have in: ${names}.` : `Everybody whom you have in: ${names};${owner}.`;
}

function Check({ post }: { post: Post }) {
  const [person, setPerson] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const { data, error } = useData(ExplainVisibilityDocument, person && { id: post.id, reader: person.id });
  const found = data?.explainVisibility;
  return (
    <>
      <PersonField label="Check for a person" onChoose={setPerson} />
      {error && <Notice tone="bad">{error}</Notice>}
      {person && found && (
        <Notice tone={found.isVisible ? 'good' : 'warn'} icon={found.isVisible ? 'check' : 'close'}>
          {person.name} {found.isVisible ? 'sees it' : 'does not see it'}
          {found.rule ? `: ${rules[found.rule]}.` : '.'}
        </Notice>
      )}
    </>
  );
}

function Reach({ id }: { id: string }) {
  const { data, error, again } = useData(PostReachDocument, { id });
  usePolling(again, data?.fanOut && data.fanOut.finishedAt === null ? POLL_MS : null);
  if (error) return <Notice tone="bad">{error}</Notice>;
  if (!data) return <SkeletonRows rows={1} />;
  const way = data.fanOut;
  if (!way) return <p className="note">It has long arrived in the news of its readers.</p>;
  if (way.way === 'READ') return <p className="note">You have many followers: they read it from your wall directly.</p>;
  const total = way.total === null || way.total === undefined ? '' : ` of ${formatCount(way.total)}`;
  return (
    <p className="note">
      {way.finishedAt
        ? `It is in the news of ${formatCountOf(way.done, 'person').replace('persons', 'people')}.`
        : `On its way: in the news of ${formatCount(way.done)}${total}.`}
    </p>
  );
}
