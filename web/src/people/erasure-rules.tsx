/** What is erased and what is kept when an account is deleted, as the domains of the server declare it. */
import type { ErasedData } from '../../generated/graphql.js';
import { useData } from '../api/use-data.js';
import { Waiting } from '../kit/lists/waiting.js';
import styles from './erasure-rules.module.css';
import { ErasureRulesDocument } from './own-data.js';

const words: Record<ErasedData, string> = { ERASED: 'Erased', ANONYMIZED: 'Anonymized', KEPT: 'Kept' };
const nothing = {};

export function ErasureRules() {
  const answer = useData(ErasureRulesDocument, nothing);
  return (
    <details className={styles.rules}>
      <summary>What is erased, and what is kept and why</summary>
      <Waiting {...answer} rows={3} height="40px" />
      {Object.entries(words).map(([becomes, word]) => {
        const rules = answer.data?.erasureRules.filter((rule) => rule.becomes === becomes) ?? [];
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
