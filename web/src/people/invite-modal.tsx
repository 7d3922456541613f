/** Invites someone. The link is shown once, and can be sent in any way. */
import { useState } from 'react';
import type { Role } from '../../generated/graphql.js';
import { Choices } from '../parts/choices.js';
import { formatMoment } from '../parts/format.js';
import { Modal } from '../parts/modal.js';
import styles from '../parts/modal.module.css';
import { ModalForm } from '../parts/modal-form.js';
import { ShownOnce } from '../parts/shown-once.js';
import { EmailField } from '../parts/text-field.js';
import { textOf, useForm } from '../parts/use-form.js';
import { type Invited, invite } from './people.js';
import { roleOptions } from './roles-modal.js';

export function InviteModal({ onClose }: { onClose: () => void }) {
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <Modal title={invited ? 'Invited' : 'Invite someone'} open onOpenChange={onClose} steady={invited !== null}>
      {invited ? <LinkToGive invited={invited} onClose={onClose} /> : <InviteForm onInvited={setInvited} />}
    </Modal>
  );
}

function InviteForm({ onInvited }: { onInvited: (invited: Invited) => void }) {
  const [roles, setRoles] = useState<readonly Role[]>(['MEMBER']);
  const form = useForm(async (fields) => {
    const answer = await invite(textOf(fields, 'email').trim(), roles);
    if (typeof answer === 'string') return answer;
    onInvited(answer);
    return null;
  });
  return (
    <ModalForm form={form} yes="Create invitation" doing="Inviting…">
      <EmailField autoComplete="off" hint="The address they will sign in with." />
      <Choices label="Roles" options={roleOptions} chosen={roles} onChange={setRoles} />
    </ModalForm>
  );
}

function LinkToGive({ invited: { link, invitation }, onClose }: { invited: Invited; onClose: () => void }) {
  return (
    <div className={styles.form}>
      <p>
        Send this link to <strong>{invitation.email}</strong>. The person who opens it chooses the password of the
        account. It can be used once, until {formatMoment(Date.parse(invitation.expiresAt))} UTC.
      </p>
      <ShownOnce label="Invitation link" text={link} copy="Copy link" />
      <div className={styles.choice}>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
