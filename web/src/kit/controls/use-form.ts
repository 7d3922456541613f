/** The state of a form: one submission at a time, and why the last one was refused. */
import { type FormEvent, useState } from 'react';
import { explainThrown } from '../base/errors.js';
import { markRefused, unmarkRefused } from './refused-field.js';

export interface FormState {
  readonly busy: boolean;
  readonly refusal: string | null;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  /** For the form's `onChange`: what was refused is being corrected. */
  readonly forget: (event: FormEvent<HTMLFormElement>) => void;
}

/** @param send returns why it was refused, or null on success */
export function useForm(send: (fields: FormData, form: HTMLFormElement) => Promise<string | null>): FormState {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const forget = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    setRefusal(null);
    unmarkRefused(currentTarget);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    setBusy(true);
    forget(event);
    send(new FormData(form), form)
      .catch(explainThrown)
      .then((refused) => setRefusal(refused === null ? null : markRefused(form, refused)))
      .finally(() => setBusy(false));
  };
  return { busy, refusal, submit, forget };
}

/** The value of a text field. */
export const textOf = (fields: FormData, name: string): string => String(fields.get(name) ?? '');
