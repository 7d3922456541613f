/** Radio buttons or checkboxes, each with an explanation. */
import { type ReactNode, useId } from 'react';
import styles from './choices.module.css';

interface OptionsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: ReactNode; readonly meaning: string }[];
}

interface ChoicesProps<Value extends string> extends OptionsProps<Value> {
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

export function Choices<Value extends string>({ chosen, onChange, ...rest }: ChoicesProps<Value>) {
  const turn = (value: Value, on: boolean) =>
    onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return <Options {...rest} type="checkbox" chosen={chosen} onTurn={turn} />;
}

interface ChoiceProps<Value extends string> extends OptionsProps<Value> {
  readonly chosen: Value;
  readonly onChange: (chosen: Value) => void;
}

export const Choice = <Value extends string>({ chosen, onChange, ...rest }: ChoiceProps<Value>) => (
  <Options {...rest} type="radio" chosen={[chosen]} onTurn={onChange} />
);

interface TurnableProps<Value extends string> extends OptionsProps<Value> {
  readonly type: 'checkbox' | 'radio';
  readonly chosen: readonly Value[];
  readonly onTurn: (value: Value, on: boolean) => void;
}

function Options<Value extends string>({ label, options, type, chosen, onTurn }: TurnableProps<Value>) {
  const group = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="label">{label}</legend>
      {options.map(({ value, name, meaning }) => (
        <label key={value} className={styles.choice}>
          <input
            type={type}
            name={group}
            checked={chosen.includes(value)}
            onChange={(event) => onTurn(value, event.target.checked)}
          />
          <span>
            <strong>{name}</strong>
            <span className="note">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
