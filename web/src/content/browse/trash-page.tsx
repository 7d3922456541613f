/** The trash: what was deleted in the last 30 days, and can be restored. */
import { useState } from 'react';
import type { ContentTrashQuery } from '../../../generated/graphql.js';
import { Link } from '../../kit/controls/link.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Card } from '../../kit/display/card.js';
import { Icon } from '../../kit/display/icon.js';
import { Empty, Notice } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { Moment } from '../../kit/lists/moment.js';
import { PagedTable } from '../../kit/lists/paged-table.js';
import { ACTIONS } from '../../kit/lists/table.js';
import { isRefused, restoreNode } from '../data/commands.js';
import { addressOf, type EditorNode, TrashDocument, typeWords } from '../data/nodes.js';

type Row = ContentTrashQuery['nodes']['edges'][number]['node'];

const connectionOf = (data: ContentTrashQuery) => data.nodes;

interface Taken {
  readonly node: Row;
  readonly suggestion: string;
}

export function TrashPage() {
  const [restored, setRestored] = useState<EditorNode | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [taken, setTaken] = useState<Taken | null>(null);
  const [news, setNews] = useState(0);

  const restore = async (node: Row, slug?: string): Promise<string | null> => {
    setRefusal(null);
    const outcome = await restoreNode(node.id, slug);
    if (!isRefused(outcome)) {
      setRestored(outcome);
      setNews(news + 1);
      return null;
    }
    if (outcome.suggestion && slug === undefined) setTaken({ node, suggestion: outcome.suggestion });
    else setRefusal(outcome.refusal);
    return outcome.refusal;
  };

  return (
    <Card title="Trash" aside={<span className="note">times in UTC</span>}>
      {refusal && <Notice tone="bad">{refusal}</Notice>}
      {restored && (
        <Notice tone="good" icon="check" action={<Link href={addressOf(restored)}>Open it</Link>}>
          {restored.title} is a draft again.
        </Notice>
      )}
      <PagedTable
        label="Trash"
        query={TrashDocument}
        connectionOf={connectionOf}
        news={news}
        columns={['Title', 'Kind', 'Deleted', 'Kept until', ACTIONS]}
        rows={(edges) =>
          edges.map(({ node, cursor }) => <TrashRow key={cursor} node={node} onRestore={() => void restore(node)} />)
        }
        empty={
          <Empty icon="trash" title="The trash is empty">
            What you delete stays here for 30 days, with its versions, and can be restored.
          </Empty>
        }
      />
      {taken && <OtherSlug taken={taken} restore={restore} onClose={() => setTaken(null)} />}
    </Card>
  );
}

function TrashRow({ node: { title, type, author, trash }, onRestore }: { node: Row; onRestore: () => void }) {
  return (
    <tr>
      <th scope="row">
        <span className={cells.who}>{title}</span>
        {trash && <span className={cells.second}>was at {trash.formerPath}</span>}
      </th>
      <td>
        {typeWords[type].name}
        <span className={cells.second}>by {author.name || 'a former member'}</span>
      </td>
      <Moment at={trash?.deletedAt} label="deleted" />
      <Moment at={trash?.restorableUntil} label="kept until" />
      <td>
        <span className={cells.actions}>
          <button type="button" className="button small" aria-label={`Restore ${title}`} onClick={onRestore}>
            <Icon name="undo" /> Restore
          </button>
        </span>
      </td>
    </tr>
  );
}

interface OtherSlugProps {
  readonly taken: Taken;
  readonly restore: (node: Row, slug: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/** Its address is taken by another node meanwhile. */
function OtherSlug({ taken: { node, suggestion }, restore, onClose }: OtherSlugProps) {
  const form = useForm(async (fields) => {
    const refused = await restore(node, textOf(fields, 'slug').trim());
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal
      title={`Restore ${node.title}`}
      description="Something else has its address now. Choose another one."
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Restore" doing="Restoring …">
        <TextField label="Address" name="slug" defaultValue={suggestion} maxLength={100} required spellCheck={false} />
      </ModalForm>
    </Modal>
  );
}
