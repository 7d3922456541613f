/** Invites someone. The link is shown once, and can be sent in any way. */
import { useState } from 'react';
import type { Role } from '../../generated/graphql.js';
import { formatMoment } from '../kit/base/format.js';
import { Choices } from '../kit/controls/choices.js';
import { Modal } from '../kit/controls/modal.js';
import styles from '../kit/controls/modal.module.css';
import { ModalForm } from '../kit/controls/modal-form.js';
import { ShownOnce } from '../kit/controls/shown-once.js';
import { EmailField } from '../kit/controls/text-field.js';
import { textOf, useForm } from '../kit/controls/use-form.js';
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
        Send this link to <strong>{invitation.email}</strong>. The person who opens it chooses the account’s password.
        The link can be used once, until {formatMoment(Date.parse(invitation.expiresAt))} UTC.
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
