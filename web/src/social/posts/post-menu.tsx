/** What the viewer may do with a post. */
import { DropdownMenu } from 'radix-ui';
import { useEffect, useState } from 'react';
import { viewerStore } from '../../api/session.js';
import { copyText } from '../../kit/base/clipboard.js';
import { navigate } from '../../kit/base/location.js';
import { useStore } from '../../kit/base/store.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Icon } from '../../kit/display/icon.js';
import { useRole } from '../../shell/access.js';
import { shareAddress } from '../../shell/share-link.js';
import { remove, report } from '../data/acts.js';
import type { Post } from '../data/post-list.js';
import { addressOf } from '../parts/links.js';
import { ReadersModal } from './readers-modal.js';

interface PostMenuProps {
  readonly post: Post;
  readonly onEdit: () => void;
  readonly onRemove: (id: string) => void;
}

const COPIED_MS = 2_000;

type Opened = 'delete' | 'report' | 'readers' | 'link' | null;

export function PostMenu({ post, onEdit, onRemove }: PostMenuProps) {
  const viewer = useStore(viewerStore);
  const isEditor = useRole('EDITOR');
  const [opened, open] = useState<Opened>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const isOwn = post.author.id === viewer?.id;
  const isOnOwnWall = viewer !== null && post.onWallOf?.id === viewer?.id;
  const name = post.author.name || 'a deleted account';
  const close = () => open(null);
  const address = new URL(addressOf(post.id), window.location.origin).href;
  const copy = async () => {
    if (await copyText(address)) setCopied(true);
    else open('link');
  };
  const item = (words: string, act: () => void) => (
    <DropdownMenu.Item className="menu-item" onSelect={act}>
      {words}
    </DropdownMenu.Item>
  );
  return (
    <>
      <span className="note" role="status">
        {isCopied && 'Link copied'}
      </span>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button quiet icon small" aria-label={`Actions on the post by ${name}`}>
          <Icon name="more" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            {isOwn && item('Edit text', onEdit)}
            {isOwn && item('Who can see this?', () => open('readers'))}
            {viewer && item('Share', () => navigate(shareAddress(post.id)))}
            {item('Copy link', () => void copy())}
            {viewer && !isOwn && item('Report', () => open('report'))}
            {(isOwn || isOnOwnWall || isEditor) && item('Delete', () => open('delete'))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {opened === 'delete' && (
        <Confirmation
          title="Delete this post?"
          consequence={`The post${isOwn ? '' : ` by ${name}`} disappears for everybody, with its comments. This cannot be undone.`}
          no="Cancel"
          yes="Delete post"
          act={() => remove(post.id)}
          onClose={close}
          onDone={() => onRemove(post.id)}
        />
      )}
      {opened === 'report' && <ReportModal id={post.id} name={name} onClose={close} />}
      {opened === 'readers' && <ReadersModal post={post} onClose={close} />}
      {opened === 'link' && (
        <Modal
          title="Copy the link"
          description="The browser refuses to copy it: do it by hand."
          open
          onOpenChange={close}
        >
          <input
            className="input"
            aria-label="Link to the post"
            value={address}
            readOnly
            onFocus={(event) => event.target.select()}
          />
        </Modal>
      )}
    </>
  );
}

function ReportModal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const [isDone, setDone] = useState(false);
  const form = useForm(async (fields) => {
    const refused = await report(id, textOf(fields, 'reason'));
    setDone(refused === null);
    return refused;
  });
  return (
    <Modal
      title={isDone ? 'Thank you' : 'Report this post'}
      description={isDone ? 'A moderator will look at it.' : `The post by ${name} stays until a moderator has decided.`}
      open
      onOpenChange={onClose}
    >
      {isDone ? (
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      ) : (
        <ModalForm form={form} yes="Report" doing="Reporting…" no={{ words: 'Cancel', act: onClose }}>
          <div className="field">
            <label htmlFor="reason">What should a moderator know about it?</label>
            <textarea className="input" id="reason" name="reason" rows={3} maxLength={500} required />
          </div>
        </ModalForm>
      )}
    </Modal>
  );
}
