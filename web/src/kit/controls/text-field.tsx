import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react';

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
  /** A sentence below the field. */
  readonly hint?: ReactNode;
  /** What is wrong with what was entered: shown instead of the hint. */
  readonly wrong?: string | null;
}

/** A labeled single-line text field. */
export function TextField({ label, hint, wrong = null, ...input }: TextFieldProps) {
  const id = useId();
  const note = wrong ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        aria-describedby={note ? `${id}-note` : undefined}
        aria-invalid={wrong === null ? undefined : true}
        {...input}
      />
      {note && (
        <span
          className="note"
          id={`${id}-note`}
          data-wrong={wrong !== null}
          role={wrong === null ? undefined : 'alert'}
        >
          {note}
        </span>
      )}
    </div>
  );
}

export const EmailField = (input: Partial<TextFieldProps>) => (
  <TextField label="Email" name="email" type="email" autoComplete="username" maxLength={254} required {...input} />
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

/** A new password. It is entered only once, so it can be made visible. */
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
        hint="At least 12 characters. A few words are easy to remember."
      />
      <label className="check">
        <input type="checkbox" checked={shown} onChange={(event) => show(event.target.checked)} />
        Show password
      </label>
    </div>
  );
}
