/** A quantity: changed with two buttons, or typed. */
import { useEffect, useState } from 'react';
import styles from './quantity-field.module.css';

interface QuantityFieldProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly disabled?: boolean;
  /** Called with an integer from 1 to `max`. */
  readonly onChange: (value: number) => void;
}

/** The maximum quantity of a line. */
export const LINE_MAX = 10_000;

export function QuantityField({ label, value, max, disabled = false, onChange }: QuantityFieldProps) {
  const [typed, setTyped] = useState(String(value));
  useEffect(() => setTyped(String(value)), [value]);
  const highest = Math.min(max, LINE_MAX);
  const set = (wanted: number) => {
    const within = Math.min(highest, Math.max(1, Math.floor(wanted) || 1));
    setTyped(String(within));
    if (within !== value) onChange(within);
  };
  return (
    <div className={styles.field}>
      <button
        type="button"
        aria-label={`${label}: one less`}
        disabled={disabled || value <= 1}
        onClick={() => set(value - 1)}
      >
        −
      </button>
      <input
        aria-label={label}
        inputMode="numeric"
        value={typed}
        disabled={disabled}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => set(Number(typed))}
        onKeyDown={(event) => event.key === 'Enter' && set(Number(typed))}
      />
      <button
        type="button"
        aria-label={`${label}: one more`}
        disabled={disabled || value >= highest}
        onClick={() => set(value + 1)}
      >
        +
      </button>
    </div>
  );
}
