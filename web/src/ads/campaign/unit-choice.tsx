/** Whether the statistics are those of all ad units or of one. */
import type { AdUnit } from '../data/campaigns.js';

interface UnitChoiceProps {
  readonly units: readonly AdUnit[];
  /** Null for all. */
  readonly chosen: AdUnit | null;
  readonly onChoose: (id: string | null) => void;
}

export const UnitChoice = ({ units, chosen, onChoose }: UnitChoiceProps) =>
  units.length > 1 && (
    <select
      className="input"
      aria-label="Ad unit"
      value={chosen?.id ?? ''}
      onChange={({ target }) => onChoose(target.value || null)}
    >
      <option value="">All ad units</option>
      {units.map((unit) => (
        <option key={unit.id} value={unit.id}>
          {nameOf(unit)}
        </option>
      ))}
    </select>
  );

const nameOf = ({ size, headline }: AdUnit) => (headline ? `${headline}, ${size}` : `Without a headline, ${size}`);
