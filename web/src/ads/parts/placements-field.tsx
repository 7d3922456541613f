/** The zones in which a campaign wants to be shown: chosen from those that there are, or entered, also before they are there. */
import { useId } from 'react';
import { useSites } from '../../analytics/sites/sites.js';
import { formatMoney } from '../../kit/base/money.js';
import { Icon } from '../../kit/display/icon.js';
import { useRole } from '../../shell/access.js';
import { type OfferedZone, useOfferedZones } from '../data/offered-zones.js';
import { type Entered, nameOf, placementsOf } from '../data/placements.js';
import { useZones, zoneDesigns } from '../data/zones.js';
import styles from './fields.module.css';

interface PlacementsFieldProps {
  readonly draft: Entered;
  readonly onChange: (part: Partial<Entered>) => void;
}

export function PlacementsField({ draft, onChange }: PlacementsFieldProps) {
  const { placements, typed } = draft;
  const edits = useRole('EDITOR');
  const list = useId();
  const type = (part: Partial<typeof typed>) => onChange({ typed: { ...typed, ...part } });
  const add = () => {
    const added = placementsOf(draft);
    if (typeof added !== 'string') onChange({ placements: added, typed: { ...typed, zone: '' } });
  };
  return (
    <fieldset className={styles.group}>
      <legend className="label">Zones</legend>
      {placements.length > 0 && (
        <div className={styles.chosen}>
          {placements.map((placement) => (
            <span key={nameOf(placement)} className={styles.chip}>
              {nameOf(placement)}
              <button
                type="button"
                className="button quiet icon small"
                aria-label={`Remove the zone ${nameOf(placement)}`}
                onClick={() => onChange({ placements: placements.filter((each) => each !== placement) })}
              >
                <Icon name="close" />
              </button>
            </span>
          ))}
        </div>
      )}
      <Offered draft={draft} onChange={onChange} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter adds the zone instead of sending the form */}
      <div
        className={styles.row}
        data-kind="add"
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      >
        <input
          className="input"
          aria-label="Site of the zone"
          placeholder="example.org"
          list={`${list}-sites`}
          autoComplete="off"
          spellCheck={false}
          value={typed.site}
          onChange={({ target }) => type({ site: target.value })}
        />
        <input
          className="input"
          aria-label="Name of the zone"
          placeholder="top"
          list={`${list}-zones`}
          autoComplete="off"
          spellCheck={false}
          value={typed.zone}
          onChange={({ target }) => type({ zone: target.value })}
        />
        <button type="button" className="button" onClick={add}>
          Add the zone
        </button>
      </div>
      {edits && <Known list={list} site={typed.site.trim().toLowerCase()} />}
    </fieldset>
  );
}

/** A choice adds the zone. */
function Offered({ draft, onChange }: PlacementsFieldProps) {
  const offered = useOfferedZones();
  const { placements } = draft;
  const isChosen = (zone: OfferedZone) => placements.some((each) => nameOf(each) === nameOf(zone));
  const left = offered?.zones.filter((zone) => !isChosen(zone)) ?? [];
  if (!offered || left.length === 0) return null;
  const add = (name: string) => {
    const chosen = left.find((zone) => nameOf(zone) === name);
    if (chosen) onChange({ placements: [...placements, { site: chosen.site, zone: chosen.zone }] });
  };
  return (
    <select className="input" aria-label="Choose a zone" value="" onChange={({ target }) => add(target.value)}>
      <option value="">{offered.isAll ? 'Choose a zone' : 'Choose one of the first 100 zones'}</option>
      {left.map((zone) => (
        <option key={nameOf(zone)} value={nameOf(zone)}>
          {nameOf(zone)} · {zone.size} · {zoneDesigns[zone.design].name}
          {zone.floor > 0 && ` · eCPM from ${formatMoney({ amount: zone.floor, currency: offered.currency })}`}
        </option>
      ))}
    </select>
  );
}

/** What the browser offers while editors type. */
function Known({ list, site }: { readonly list: string; readonly site: string }) {
  const { data } = useSites();
  const isKnown = data?.sites.some(({ host }) => host === site) ?? false;
  const { zones } = useZones(isKnown ? site : null);
  return (
    <>
      <datalist id={`${list}-sites`}>
        {data?.sites.map(({ host }) => (
          <option key={host} value={host} />
        ))}
      </datalist>
      <datalist id={`${list}-zones`}>
        {zones?.map(({ zone, size }) => (
          <option key={zone} value={zone}>
            {size}
          </option>
        ))}
      </datalist>
    </>
  );
}
