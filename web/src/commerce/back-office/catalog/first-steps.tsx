/** The empty state of the catalog: import one, or add samples. */
import { useState } from 'react';
import { CopyButton } from '../../../kit/controls/copy-button.js';
import { FirstSteps } from '../../../kit/display/first-steps.js';
import { Notice } from '../../../kit/display/notice.js';
import { addSamples, SAMPLES } from '../data/samples.js';
import styles from './first-steps.module.css';

const exampleLines = (currency: string): readonly string[] => [
  '{"category": {"slug": "jazz", "name": "Jazz"}}',
  `{"sku": "LP-1", "title": "Blue Tide", "type": "VINYL", "categories": ["jazz"], "price": {"amount": 1990, "currency": "${currency}"}}`,
];

const COMMAND = 'sextant import-catalog catalog.jsonl';

export function CatalogFirstSteps({ currency, onDone }: { currency: string; onDone: () => void }) {
  const [state, setState] = useState<'idle' | 'adding' | 'added'>('idle');
  const [failure, setFailure] = useState<string | null>(null);
  const add = async () => {
    setState('adding');
    const failed = await addSamples(currency);
    setFailure(failed);
    setState(failed === null ? 'added' : 'idle');
  };
  return (
    <FirstSteps
      head={
        <>
          <h2>Your catalog is empty</h2>
          <p>Import your catalog, or add a few sample products to see how everything works.</p>
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
        <li className="card">
          <h3>Try it with samples</h3>
          <p>
            {SAMPLES} sample products in a few categories, with stock. Products cannot be removed, so do this in a test
            store, not in a live one.
          </p>
          {failure && <Notice tone="bad">{failure}</Notice>}
          {state === 'added' ? (
            <>
              <Notice tone="good" icon="check">
                {SAMPLES} products were added.
              </Notice>
              <button type="button" className="button primary" onClick={onDone}>
                Go to the catalog
              </button>
            </>
          ) : (
            <button type="button" className="button" disabled={state === 'adding'} onClick={() => void add()}>
              {state === 'adding' ? 'Adding…' : 'Add sample products'}
            </button>
          )}
        </li>
      </ul>
    </FirstSteps>
  );
}
