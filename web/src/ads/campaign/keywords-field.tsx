/** Keywords, and what is bid for each. */
import { Icon } from '../../kit/display/icon.js';
import fields from '../parts/fields.module.css';

export interface KeywordDraft {
  readonly keyword: string;
  /** As typed, in major units. */
  readonly bid: string;
}

interface KeywordsFieldProps {
  readonly keywords: readonly KeywordDraft[];
  readonly currency: string;
  readonly onChange: (keywords: readonly KeywordDraft[]) => void;
}

const KEYWORDS_MAX = 50;

export function KeywordsField({ keywords, currency, onChange }: KeywordsFieldProps) {
  const change = (at: number, part: Partial<KeywordDraft>) =>
    onChange(keywords.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <fieldset className={fields.group}>
      <legend className="label">Keywords</legend>
      {keywords.map(({ keyword, bid }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a keyword that is being typed has no identity but its place
        <div key={at} className={fields.row}>
          <input
            className="input"
            aria-label={`Keyword ${at + 1}`}
            name={`keywords.${at}.keyword`}
            maxLength={50}
            autoComplete="off"
            value={keyword}
            onChange={({ target }) => change(at, { keyword: target.value })}
            required
          />
          <input
            className="input"
            aria-label={`Bid of keyword ${at + 1} in ${currency}`}
            name={`keywords.${at}.bid`}
            placeholder={`Bid in ${currency}`}
            inputMode="decimal"
            autoComplete="off"
            value={bid}
            onChange={({ target }) => change(at, { bid: target.value })}
            required
          />
          <button
            type="button"
            className="button quiet icon"
            aria-label={`Remove keyword ${at + 1}`}
            onClick={() => onChange(keywords.filter((_keyword, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      <div className={fields.foot}>
        <button
          type="button"
          className="button small"
          disabled={keywords.length === KEYWORDS_MAX}
          onClick={() => onChange([...keywords, { keyword: '', bid: '' }])}
        >
          <Icon name="plus" /> Add a keyword
        </button>
        <span className="note">In zones of the design Keywords, the bid of a matched one replaces the price.</span>
      </div>
    </fieldset>
  );
}
