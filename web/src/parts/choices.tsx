/** Any of a few things, each with what it means. */
import styles from './choices.module.css';

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly name: string; readonly meaning: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

export function Choices<Value extends string>({ label, options, chosen, onChange }: ChoicesProps<Value>) {
  const turn = (value: Value, on: boolean) =>
    onChange(on ? [...chosen, value] : chosen.filter((other) => other !== value));
  return (
    <fieldset className={styles.choices}>
      <legend className="label">{label}</legend>
      {options.map(({ value, name, meaning }) => (
        <label key={value} className={styles.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => turn(value, event.target.checked)}
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
