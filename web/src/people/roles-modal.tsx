/** Grants and revokes roles. */
import { useState } from 'react';
import type { Role } from '../../generated/graphql.js';
import { viewerStore } from '../api/session.js';
import { useStore } from '../kit/base/store.js';
import { Choices } from '../kit/controls/choices.js';
import { Modal } from '../kit/controls/modal.js';
import { ModalForm } from '../kit/controls/modal-form.js';
import { useForm } from '../kit/controls/use-form.js';
import { Notice } from '../kit/display/notice.js';
import { roles, roleWords } from '../shell/role-words.js';
import { changeRoles, type Person } from './people.js';

export const roleOptions = roles.map((value) => ({ value, ...roleWords[value] }));

export function RolesModal({ person, onClose }: { person: Person; onClose: () => void }) {
  const isMyself = useStore(viewerStore)?.id === person.id;
  const [wanted, setWanted] = useState<readonly Role[]>(person.roles);
  const form = useForm(async () => {
    const refused = await changeRoles(person, wanted);
    if (refused === null) onClose();
    return refused;
  });
  const steppingDown = isMyself && person.roles.includes('ADMIN') && !wanted.includes('ADMIN');
  return (
    <Modal
      title={`Roles of ${person.name}`}
      description={`What ${person.email} can do. Changes take effect immediately, including on open pages.`}
      open
      onOpenChange={onClose}
    >
      <ModalForm form={form} yes="Save roles" doing="Saving…" no={{ words: 'Cancel', act: onClose }}>
        <Choices label="Roles" options={roleOptions} chosen={wanted} onChange={setWanted} />
        {steppingDown && (
          <Notice tone="warn">
            You will no longer be an administrator. Only another administrator can restore the role.
          </Notice>
        )}
      </ModalForm>
    </Modal>
  );
}
