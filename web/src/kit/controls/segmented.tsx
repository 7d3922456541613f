/** A segmented control: one of a few options, all visible. */
import { RadioGroup } from 'radix-ui';
import styles from './segmented.module.css';

interface SegmentedProps<Value extends string> {
  readonly label: string;
  /** Null: none is selected. */
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly name?: string }[];
  readonly onChange: (value: Value) => void;
}

export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <RadioGroup.Root
      className={styles.segmented}
      aria-label={label}
      orientation="horizontal"
      value={value ?? ''}
      onValueChange={(chosen) => onChange(chosen as Value)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          className={styles.option}
          aria-label={option.name ?? option.label}
          title={option.name}
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
