/** Chooses the time range: a live one up to now, or a fixed one. */
import { Popover } from 'radix-ui';
import { type FormEvent, useState } from 'react';
import { formatClock, formatDate } from '../../kit/base/format.js';
import { Segmented } from '../../kit/controls/segmented.js';
import { Icon } from '../../kit/display/icon.js';
import { MINUTE_MS } from '../chart/slots.js';
import { UnitPicker } from './hit-chart-card.js';
import styles from './span-picker.module.css';
import { fixedSpan, lengthOf, presetOf, presets, type Span } from './view.js';

interface SpanPickerProps {
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

export function SpanPicker({ span, onSpan }: SpanPickerProps) {
  const goLive = (last: string) => onSpan({ kind: 'live', last, unit: presetOf(last).unit });
  return (
    <div className={styles.picker}>
      <Segmented
        label="Live range"
        value={span.kind === 'live' ? span.last : null}
        onChange={goLive}
        options={presets.map(({ last, label, name }) => ({ value: last, label, name }))}
      />
      <StretchPopover span={span} onSpan={onSpan} />
      {span.kind === 'fixed' && (
        <button type="button" className="button" onClick={() => goLive('PT1H')}>
          <Icon name="live" /> Back to live
        </button>
      )}
      <UnitPicker lengthMs={lengthOf(span)} span={span} onSpan={onSpan} />
    </div>
  );
}

/** A moment in `datetime-local` format, in UTC. */
const fieldText = (moment: number) => new Date(moment).toISOString().slice(0, 16);
const readField = (form: FormData, name: string) => Date.parse(`${form.get(name)}Z`);

function StretchPopover({ span, onSpan }: SpanPickerProps) {
  const [open, setOpen] = useState(false);
  const [wrong, setWrong] = useState(false);
  const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  const from = span.kind === 'fixed' ? span.from : now - lengthOf(span);
  const to = span.kind === 'fixed' ? span.to : now;
  const words = span.kind === 'fixed' ? describeStretch(from, to) : 'Custom…';
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [first, last] = [readField(form, 'from'), readField(form, 'to')];
    setWrong(!(first < last));
    if (!(first < last)) return;
    onSpan(fixedSpan(first, last));
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="button" aria-label={`${words}: choose a time range`}>
        {words}
        <Icon name="chevron" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={`menu ${styles.stretch}`} aria-label="Time range" align="start" sideOffset={6}>
          <form className={styles.form} onSubmit={choose}>
            <div className="field">
              <label htmlFor="stretch-from">From (UTC)</label>
              <input
                className="input"
                id="stretch-from"
                name="from"
                type="datetime-local"
                defaultValue={fieldText(from)}
                required
              />
            </div>
            <div className="field">
              <label htmlFor="stretch-to">To (UTC)</label>
              <input
                className="input"
                id="stretch-to"
                name="to"
                type="datetime-local"
                defaultValue={fieldText(to)}
                aria-invalid={wrong}
                aria-describedby={wrong ? 'stretch-wrong' : undefined}
                required
              />
            </div>
            {wrong && (
              <p id="stretch-wrong" role="alert" className={styles.wrong}>
                The end must be after the start.
              </p>
            )}
            <button type="submit" className="button primary">
              Show
            </button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The shortest label for the range. */
function describeStretch(from: number, to: number): string {
  const wholeDays = from % 86_400_000 === 0 && to % 86_400_000 === 0;
  if (wholeDays) return `${formatDate(from)} – ${formatDate(to - 1)}`;
  const sameDay = formatDate(from) === formatDate(to);
  return `${formatDate(from)}, ${formatClock(from)} – ${sameDay ? '' : `${formatDate(to)}, `}${formatClock(to)}`;
}
