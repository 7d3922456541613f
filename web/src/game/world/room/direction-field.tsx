import { useId } from 'react';
import { usualDirections } from '../../map/directions.js';

interface DirectionFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (direction: string) => void;
  readonly hint?: string;
  readonly required?: boolean;
}

/** A direction: a usual one, or any other word. */
export function DirectionField({ label, value, onChange, hint, required = false }: DirectionFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        className="input"
        id={id}
        list={`${id}-usual`}
        value={value}
        maxLength={30}
        autoComplete="off"
        aria-describedby={hint ? `${id}-hint` : undefined}
        required={required}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={`${id}-usual`}>
        {usualDirections.map((direction) => (
          <option key={direction} value={direction} />
        ))}
      </datalist>
      {hint && (
        <span className="note" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
