/** The limits of the selected strategy. */
import { type ReactNode, useId } from 'react';
import styles from './change-card.module.css';
import {
  type AgeUnit,
  ageUnits,
  type ByteUnit,
  byteUnits,
  type GrowthDraft,
  needsAge,
  takesAge,
  takesBytes,
  takesCollections,
} from './strategies.js';

interface LimitsProps {
  readonly draft: GrowthDraft;
  readonly onEdit: (change: Partial<GrowthDraft>) => void;
}

export function Limits({ draft, onEdit }: LimitsProps) {
  const { strategy } = draft;
  return (
    <div className={styles.limits}>
      {takesBytes(strategy) && (
        <Limit label="Size limit" value={draft.bytes} max={1_048_576} onValue={(bytes) => onEdit({ bytes })}>
          <UnitSelect
            label="Size unit"
            units={Object.keys(byteUnits) as ByteUnit[]}
            unit={draft.byteUnit}
            onUnit={(byteUnit) => onEdit({ byteUnit })}
          />
        </Limit>
      )}
      {takesAge(strategy) && (
        <Limit
          label={needsAge(strategy) ? 'Age limit' : 'Age limit (empty: keep everything)'}
          value={draft.age}
          max={87_600}
          required={needsAge(strategy)}
          onValue={(age) => onEdit({ age })}
        >
          <UnitSelect
            label="Age unit"
            units={Object.keys(ageUnits) as AgeUnit[]}
            unit={draft.ageUnit}
            onUnit={(ageUnit) => onEdit({ ageUnit })}
          />
        </Limit>
      )}
      {takesCollections(strategy) && (
        <Limit
          label="Number of parts"
          value={draft.collections}
          min={2}
          max={100}
          onValue={(collections) => onEdit({ collections })}
        />
      )}
    </div>
  );
}

interface LimitProps {
  readonly label: string;
  readonly value: string;
  readonly min?: number;
  readonly max: number;
  readonly required?: boolean;
  readonly onValue: (value: string) => void;
  readonly children?: ReactNode;
}

function Limit({ label, value, min = 1, max, required = true, onValue, children }: LimitProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={styles.limit}>
        <input
          className="input"
          id={id}
          type="number"
          min={min}
          max={max}
          value={value}
          required={required}
          onChange={(event) => onValue(event.target.value)}
        />
        {children}
      </div>
    </div>
  );
}

interface UnitSelectProps<Unit extends string> {
  readonly label: string;
  readonly units: readonly Unit[];
  readonly unit: Unit;
  readonly onUnit: (unit: Unit) => void;
}

const UnitSelect = <Unit extends string>({ label, units, unit, onUnit }: UnitSelectProps<Unit>) => (
  <select className="input" aria-label={label} value={unit} onChange={(event) => onUnit(event.target.value as Unit)}>
    {units.map((each) => (
      <option key={each}>{each}</option>
    ))}
  </select>
);
