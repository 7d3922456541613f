/** The empty state of the catalog: import one, or add sample data. */
import { CopyButton } from '../../../kit/controls/copy-button.js';
import { FirstSteps } from '../../../kit/display/first-steps.js';
import { useRole } from '../../../shell/access.js';
import { SeedOffer } from '../../../shell/seed/seed-offer.js';
import styles from './first-steps.module.css';

const exampleLines = (currency: string): readonly string[] => [
  '{"category": {"slug": "jazz", "name": "Jazz"}}',
  `{"sku": "LP-1", "title": "Blue Tide", "type": "VINYL", "categories": ["jazz"], "price": {"amount": 1990, "currency": "${currency}"}}`,
];

const COMMAND = 'sextant import-catalog catalog.jsonl';

export function CatalogFirstSteps({ currency, onDone }: { currency: string; onDone: () => void }) {
  const administers = useRole('ADMIN');
  return (
    <FirstSteps
      head={
        <>
          <h2>Your catalog is empty</h2>
          <p>Import your catalog{administers && ', or fill it with sample data to see how everything works'}.</p>
        </>
      }
    >
      <ul className={styles.list}>
        <li className="card">
          <h3>Import a catalog</h3>
          <p>
            A JSON Lines file, plain or gzip, with one category or product per line. Products appear as they are
            imported.
          </p>
          <pre className={styles.example}>
            {exampleLines(currency || 'EUR').map((line) => (
              <span key={line}>{`${line}\n`}</span>
            ))}
          </pre>
          <div className={styles.command}>
            <code>{COMMAND}</code>
            <CopyButton text={COMMAND} />
          </div>
        </li>
        {administers && (
          <li className="card">
            <h3>Look around first</h3>
            <SeedOffer domain="commerce" next="Go to the catalog" onNext={onDone}>
              Instruments, charts, books, records and films in a few categories, with stock. You can undo it later: what
              you have not changed or sold is removed.
            </SeedOffer>
          </li>
        )}
      </ul>
    </FirstSteps>
  );
}
