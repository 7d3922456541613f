import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
  /** A sentence below. */
  readonly hint?: ReactNode;
}

/** A line to be filled in. */
export function TextField({ label, hint, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input className="input" id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...input} />
      {hint && (
        <span className="note" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

export const EmailField = (input: Partial<TextFieldProps>) => (
  <TextField label="E-mail" name="email" type="email" autoComplete="username" maxLength={254} required {...input} />
);

/** The name that others see. */
export const NameField = (input: Partial<TextFieldProps>) => (
  <TextField label="Name" name="name" autoComplete="name" maxLength={100} required {...input} />
);

export const PasswordField = (input: Partial<TextFieldProps>) => (
  <TextField
    label="Password"
    name="password"
    type="password"
    autoComplete="current-password"
    maxLength={1024}
    required
    {...input}
  />
);

/** A password to choose. It is entered once, so it can be looked at. */
export function NewPasswordField({ label = 'Password', name = 'password' }: { label?: string; name?: string }) {
  const [shown, show] = useState(false);
  return (
    <div className="field">
      <TextField
        label={label}
        name={name}
        type={shown ? 'text' : 'password'}
        autoComplete="new-password"
        minLength={12}
        maxLength={1024}
        spellCheck={false}
        required
        hint="12 characters or more. A few words are easy to keep in mind."
      />
      <label className="check">
        <input type="checkbox" checked={shown} onChange={(event) => show(event.target.checked)} />
        Show what I type
      </label>
    </div>
  );
}
