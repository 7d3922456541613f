/** The state of a form: one submission at a time, and why the last one was refused. */
import { type FormEvent, useState } from 'react';
import { explainThrown } from '../base/errors.js';

export interface FormState {
  readonly busy: boolean;
  readonly refusal: string | null;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** @param send returns why it was refused, or null on success */
export function useForm(send: (fields: FormData, form: HTMLFormElement) => Promise<string | null>): FormState {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    send(new FormData(event.currentTarget), event.currentTarget)
      .catch(explainThrown)
      .then(setRefusal)
      .finally(() => setBusy(false));
  };
  return { busy, refusal, submit };
}

/** The value of a text field. */
export const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '');
