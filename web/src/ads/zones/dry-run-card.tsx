/** What a zone would show to whom, and why: every candidate with its score and verdict. Nothing is counted. */
import { useState } from 'react';
import { useData } from '../../api/use-data.js';
import { formatCountOf } from '../../kit/base/format.js';
import { formatMoney } from '../../kit/base/money.js';
import { Link } from '../../kit/controls/link.js';
import { TextField } from '../../kit/controls/text-field.js';
import { textOf, useForm } from '../../kit/controls/use-form.js';
import { Card } from '../../kit/display/card.js';
import { Empty } from '../../kit/display/notice.js';
import cells from '../../kit/lists/cells.module.css';
import { Table } from '../../kit/lists/table.js';
import { Waiting } from '../../kit/lists/waiting.js';
import { campaignPath } from '../data/campaigns.js';
import { useCurrency } from '../data/currency.js';
import { type Considered, ExplainDecisionDocument, verdicts, type ZoneName, zoneDesigns } from '../data/zones.js';
import styles from './zones.module.css';

interface Question {
  readonly visitor: string | null;
  readonly keywords: readonly string[];
  readonly count: number;
}

export function DryRunCard({ name }: { readonly name: ZoneName }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const { busy, submit } = useForm(async (fields) => {
    setQuestion({
      visitor: textOf(fields, 'visitor').trim() || null,
      keywords: textOf(fields, 'keywords')
        .split(',')
        .map((keyword) => keyword.trim())
        .filter((keyword) => keyword !== ''),
      count: Number(textOf(fields, 'count')),
    });
    if (question) answer.again();
    return null;
  });
  const answer = useData(
    ExplainDecisionDocument,
    question && { ...name, ...question, keywords: [...question.keywords] },
  );
  return (
    <Card title="Why this ad? A dry run" aside={<span className="note">nothing is counted</span>}>
      <form className={styles.question} onSubmit={submit}>
        <TextField
          label="Visitor"
          name="visitor"
          autoComplete="off"
          spellCheck={false}
          placeholder="unknown"
          hint="An id from a decision. Unknown visitors get no ads with caps."
        />
        <TextField
          label="Keywords of the page"
          name="keywords"
          autoComplete="off"
          placeholder="tea, winter"
          hint="Separated by commas."
        />
        <TextField label="Number of ads" name="count" type="number" min={1} max={20} defaultValue={1} required />
        <button type="submit" className="button primary" disabled={busy}>
          Decide
        </button>
      </form>
      {question && <Waiting {...answer} rows={4} />}
      {answer.data && <Explanation explanation={answer.data.explainDecision} />}
    </Card>
  );
}

/** A zone may have a thousand. */
const ROWS_MAX = 100;

interface ExplanationProps {
  readonly explanation: {
    readonly design: keyof typeof zoneDesigns;
    readonly considered: readonly Considered[];
    readonly documentsRead: number;
    readonly microseconds: number;
  };
}

function Explanation({ explanation: { design, considered, documentsRead, microseconds } }: ExplanationProps) {
  if (considered.length === 0) return <Empty icon="megaphone" title="The zone has no ads, so it shows nothing" />;
  return (
    <>
      <Table label="Considered ads" columns={['Campaign', 'Verdict', 'Score', 'eCPM', 'Why']}>
        <tbody>
          {considered.slice(0, ROWS_MAX).map((ad) => (
            <ConsideredRow key={ad.adUnitId} ad={ad} />
          ))}
        </tbody>
      </Table>
      <p className="note">
        {zoneDesigns[design].name}: {zoneDesigns[design].meaning} {formatCountOf(considered.length, 'ad')} considered,{' '}
        {formatCountOf(documentsRead, 'document')} read, {(microseconds / 1000).toFixed(1)} ms.
      </p>
    </>
  );
}

function ConsideredRow({ ad: { campaign, headline, ecpm, score, verdict, note } }: { readonly ad: Considered }) {
  const currency = useCurrency();
  return (
    <tr>
      <th scope="row">
        {campaign ? (
          <Link className={cells.who} href={campaignPath(campaign.id)}>
            {campaign.name}
          </Link>
        ) : (
          <span className={cells.who}>removed</span>
        )}
        <span className={cells.second}>{[campaign?.advertiser.name, headline].filter(Boolean).join(', ')}</span>
      </th>
      <td>
        <span className="badge" data-tone={verdict === 'SHOWN' ? 'accent' : undefined}>
          {verdicts[verdict]}
        </span>
      </td>
      <td>
        <span className={cells.narrow}>score </span>
        {score.toFixed(1)}
      </td>
      <td>
        <span className={cells.narrow}>eCPM </span>
        {currency !== '' && formatMoney({ amount: ecpm, currency })}
      </td>
      <td className={styles.why}>{note}</td>
    </tr>
  );
}
