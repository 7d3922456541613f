/** A circle with the faces of its people. A person who is dropped on it is added. */
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { useData } from '../../api/use-data.js';
import { formatCount } from '../../kit/base/format.js';
import { useStore } from '../../kit/base/store.js';
import { Confirmation } from '../../kit/controls/confirmation.js';
import { Modal } from '../../kit/controls/modal.js';
import { ModalForm } from '../../kit/controls/modal-form.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Icon } from '../../kit/display/icon.js';
import { Notice } from '../../kit/display/notice.js';
import { deleteCircle, networkContext, renameCircle, setInCircle } from '../data/network.js';
import { carriedStore } from './carried.js';
import styles from './circle-card.module.css';
import { CircleFaces } from './circle-faces.js';
import { CircleMembersDocument } from './lists.js';
import { MembersModal } from './members-modal.js';

interface Circle {
  readonly id: string;
  readonly name: string;
  readonly memberCount: number;
}

const FACES = 24;

export function CircleCard({ circle }: { circle: Circle }) {
  const { id, name, memberCount } = circle;
  const { data } = useData(CircleMembersDocument, { id, first: FACES, after: null }, networkContext);
  const carried = useStore(carriedStore);
  const [isOver, setOver] = useState(false);
  const [isListed, list] = useState(false);
  const [note, setNote] = useState<{ readonly tone: 'good' | 'bad'; readonly text: string } | null>(null);
  const members = data?.node?.__typename === 'Circle' ? data.node.members.edges.map(({ node }) => node) : null;
  const put = async (person: { readonly id: string; readonly name: string }, isIn: boolean) => {
    setNote(null);
    const failure = await setInCircle(id, person.id, isIn);
    if (failure !== null) setNote({ tone: 'bad', text: failure });
    else
      setNote({
        tone: 'good',
        text: isIn ? `${person.name} is in ${name}.` : `${person.name} is no longer in ${name}.`,
      });
  };
  return (
    <section
      className={`card ${styles.circle}`}
      aria-label={`Circle ${name}`}
      data-waits={carried !== null}
      data-over={isOver && carried !== null}
      onDragOver={(event) => {
        if (!carried) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (carried) void put(carried, true);
      }}
    >
      <header>
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className="note">{memberCount === 1 ? '1 person' : `${formatCount(memberCount)} people`}</span>
        <CircleMenu circle={circle} />
      </header>
      <CircleFaces
        members={members}
        circle={circle}
        onRemove={(person) => void put(person, false)}
        onList={() => list(true)}
      />
      {isListed && (
        <MembersModal circle={circle} onRemove={(person) => void put(person, false)} onClose={() => list(false)} />
      )}
      {note && (
        <div className={styles.note}>
          <Notice tone={note.tone} icon={note.tone === 'good' ? 'check' : 'warning'}>
            {note.text}
          </Notice>
        </div>
      )}
    </section>
  );
}

function CircleMenu({ circle: { id, name } }: { circle: Circle }) {
  const [opened, open] = useState<'rename' | 'delete' | null>(null);
  const close = () => open(null);
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger className="button quiet icon small" aria-label={`Actions on the circle ${name}`}>
          <Icon name="more" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => open('rename')}>
              Rename
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => open('delete')}>
              Delete
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {opened === 'rename' && <RenameModal id={id} name={name} onClose={close} />}
      {opened === 'delete' && (
        <Confirmation
          title={`Delete the circle ${name}?`}
          consequence="People who are in no other circle of yours are no longer followed. Posts that were shared only with this circle are then visible only to you, and to those on whose walls they are."
          no="Cancel"
          yes="Delete circle"
          act={() => deleteCircle(id)}
          onClose={close}
        />
      )}
    </>
  );
}

function RenameModal({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const form = useForm(async (fields) => {
    const refused = await renameCircle(id, textOf(fields, 'name').trim());
    if (refused === null) onClose();
    return refused;
  });
  return (
    <Modal title="Rename the circle" open onOpenChange={onClose}>
      <ModalForm form={form} yes="Rename" doing="Renaming…" no={{ words: 'Cancel', act: onClose }}>
        <TextField label="Name" name="name" defaultValue={name} maxLength={50} required />
      </ModalForm>
    </Modal>
  );
}
