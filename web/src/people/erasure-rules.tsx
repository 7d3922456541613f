/** What is erased and what is kept when an account is deleted, as the domains of the server declare it. */
import type { ErasedData, ErasureRule } from '../../generated/graphql.js';
import { useData } from '../api/use-data.js';
import { Waiting } from '../kit/lists/waiting.js';
import styles from './erasure-rules.module.css';
import { ErasureRulesDocument } from './own-data.js';

const rulesOf = (rules: readonly ErasureRule[], becomes: string) => rules.filter((rule) => rule.becomes === becomes);

const words: Record<ErasedData, string> = { ERASED: 'Erased', ANONYMIZED: 'Anonymized', KEPT: 'Kept' };
const nothing = {};

export function ErasureRules() {
  const answer = useData(ErasureRulesDocument, nothing);
  return (
    <details className={styles.rules}>
      <summary>What is erased, and what is kept and why</summary>
      <Waiting {...answer} rows={3} height="40px" />
      {Object.entries(words).map(([becomes, word]) => {
        const rules = rulesOf(answer.data?.erasureRules ?? [], becomes);
        return (
          rules.length > 0 && (
            <section key={becomes}>
              <h3>{word}</h3>
              <dl>
                {rules.map(({ domain, data, reason }) => (
                  <div key={`${domain} ${data}`}>
                    <dt>{data}</dt>
                    <dd>{reason}.</dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        );
      })}
    </details>
  );
}

/** The same without the reasons. */
export function ErasureSummary() {
  const { data } = useData(ErasureRulesDocument, nothing);
  return (
    <dl className={styles.summary}>
      {Object.entries(words).map(([becomes, word]) => {
        const rules = rulesOf(data?.erasureRules ?? [], becomes);
        return (
          rules.length > 0 && (
            <div key={becomes}>
              <dt>{word}</dt>
              {rules.map((rule) => (
                <dd key={`${rule.domain} ${rule.data}`}>{rule.data}</dd>
              ))}
            </div>
          )
        );
      })}
    </dl>
  );
}
