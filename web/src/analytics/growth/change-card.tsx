/** Changes how the log grows: choose a strategy, preview its effects, then confirm. */
import { type FormEvent, useState } from 'react';
import type { LogGrowthInput } from '../../../generated/graphql.js';
import { Choice } from '../../kit/controls/choices.js';
import { Card } from '../../kit/display/card.js';
import { Notice } from '../../kit/display/notice.js';
import styles from './change-card.module.css';
import { Consequences } from './consequences.js';
import { changeGrowth, type Growth, type GrowthPlan, planGrowth } from './growth-data.js';
import { Limits } from './limits.js';
import { type GrowthDraft, inputOf, strategies, strategyWords } from './strategies.js';

const usual = { bytes: '1', byteUnit: 'GiB', age: '30', ageUnit: 'days', collections: '10' } as const;

const options = strategies.map((value) => ({ value, ...strategyWords[value] }));

interface Planned {
  readonly input: LogGrowthInput;
  readonly plan: GrowthPlan;
}

export function ChangeCard({ growth }: { growth: Growth }) {
  const [draft, setDraft] = useState<GrowthDraft>({ ...usual, strategy: growth.strategy });
  const [busy, setBusy] = useState(false);
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [outcome, setOutcome] = useState<{ tone: 'good' | 'bad'; text: string } | null>(null);
  const edit = (change: Partial<GrowthDraft>) => {
    setDraft({ ...draft, ...change });
    setPlanned(null); // the preview no longer applies
    setOutcome(null);
  };
  const plan = async (event: FormEvent) => {
    event.preventDefault();
    const input = inputOf(draft);
    setBusy(true);
    const answer = await planGrowth(input);
    setBusy(false);
    setOutcome(typeof answer === 'string' ? { tone: 'bad', text: answer } : null);
    setPlanned(typeof answer === 'string' ? null : { input, plan: answer });
  };
  const change = async ({ input }: Planned) => {
    setBusy(true);
    const refused = await changeGrowth(input);
    setBusy(false);
    setPlanned(null);
    setOutcome(
      refused === null
        ? { tone: 'good', text: `Done. The log now uses the strategy “${strategyWords[input.strategy].name}”.` }
        : { tone: 'bad', text: refused },
    );
  };
  return (
    <Card title="Change how it grows" bodyClass={styles.body}>
      <form className={styles.form} onSubmit={(event) => void plan(event)}>
        <Choice
          label="What to keep"
          options={options}
          chosen={draft.strategy}
          onChange={(strategy) => edit({ strategy })}
        />
        <Limits draft={draft} onEdit={edit} />
        <div>
          <button type="submit" className="button primary" disabled={busy || growth.changingTo != null}>
            {busy && !planned ? 'Checking…' : 'Preview the change'}
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {planned && (
          <Consequences
            plan={planned.plan}
            busy={busy}
            onNo={() => setPlanned(null)}
            onYes={() => void change(planned)}
          />
        )}
        {outcome && (
          <Notice tone={outcome.tone} icon={outcome.tone === 'good' ? 'check' : 'warning'}>
            {outcome.text}
          </Notice>
        )}
      </div>
    </Card>
  );
}
