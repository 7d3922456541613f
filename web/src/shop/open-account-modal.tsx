import { useRole } from '../access.js';
import { Modal } from '../parts/modal.js';
import { ModalForm } from '../parts/modal-form.js';
import { parseAmount } from '../parts/money.js';
import { TextField } from '../parts/text-field.js';
import { textOf, useForm } from '../parts/use-form.js';
import { openAccount, useAccounts } from './accounts.js';

/** Opens an account: an own one; for administrators also one by a name, and with money in it. */
export function OpenAccountModal({ onClose }: { onClose: () => void }) {
  const administers = useRole('ADMIN');
  const { currency } = useAccounts();
  const form = useForm(async (fields) => {
    const owner = textOf(fields, 'owner').trim();
    const amount = parseAmount(textOf(fields, 'amount') || '0', currency);
    if (amount === null) return `That is no amount of ${currency}`;
    const opened = await openAccount({
      ...(owner !== '' && { owner }),
      ...(amount > 0 && { openingBalance: { amount, currency } }),
    });
    if (typeof opened === 'string') return opened;
    onClose();
    return null;
  });
  return (
    <Modal title="Open an account" open onOpenChange={onClose}>
      <ModalForm form={form} yes="Open the account" doing="Opening…" disabled={currency === ''}>
        {administers ? (
          <>
            <TextField
              label="Name"
              name="owner"
              maxLength={100}
              autoComplete="off"
              hint="Left empty: it is your own. With a name it belongs to nobody who signs in, such as a till or a fund."
            />
            <TextField
              label={`Opening balance in ${currency}`}
              name="amount"
              inputMode="decimal"
              autoComplete="off"
              placeholder="0"
            />
          </>
        ) : (
          <p>It begins with nothing in it.</p>
        )}
      </ModalForm>
    </Modal>
  );
}
