/** The empty state of the traffic pages: register a site, then add the snippet or import a log. */
import { useState } from 'react';
import { FirstSteps } from '../../kit/display/first-steps.js';
import { SeedOffer } from '../../shell/seed/seed-offer.js';
import { DropZone } from '../imports/import-card.js';
import { RegisterSiteForm, SiteSnippet } from '../sites/site-form.js';
import type { Site } from '../sites/sites.js';
import styles from './first-steps.module.css';

interface TrafficFirstStepsProps {
  readonly onDone: (host: string) => void;
  /** The sample data was added: the list of sites is out of date. */
  readonly onSeeded: () => void;
}

export function TrafficFirstSteps({ onDone, onSeeded }: TrafficFirstStepsProps) {
  const [site, setSite] = useState<Site | null>(null);
  return (
    <FirstSteps
      head={
        <>
          <h2>Let’s count some traffic</h2>
          <p>Register the site that you want to track. Then paste one line into its pages, import its logs, or both.</p>
        </>
      }
    >
      <ol className={styles.list}>
        <li className="card" aria-current={site ? undefined : 'step'}>
          <h3>
            <span className={styles.number}>1</span> Register a site
          </h3>
          {site ? <p>{site.host} is registered.</p> : <RegisterSiteForm onRegistered={setSite} />}
        </li>
        <li className="card" aria-current={site ? 'step' : undefined} data-waiting={site === null}>
          <h3>
            <span className={styles.number}>2</span> Send hits as they happen
          </h3>
          {site ? <SiteSnippet site={site} /> : <p>One line of HTML for every page. Visits show within a second.</p>}
        </li>
        <li className="card" aria-current={site ? 'step' : undefined} data-waiting={site === null}>
          <h3>
            <span className={styles.number}>3</span> Or import a log
          </h3>
          {site ? (
            <DropZone site={site.host} />
          ) : (
            <p>Apache or nginx access logs, unmodified. Each line counts once.</p>
          )}
        </li>
      </ol>
      {!site && (
        <section className={`card ${styles.samples}`} aria-labelledby="sample-traffic">
          <h3 id="sample-traffic">Look around first</h3>
          <SeedOffer domain="analytics" next="Go to the chart" onNext={onSeeded}>
            A month of traffic on an invented site. You can undo it later.
          </SeedOffer>
        </section>
      )}
      {site && (
        <button type="button" className="button primary" onClick={() => onDone(site.host)}>
          Go to the chart
        </button>
      )}
    </FirstSteps>
  );
}
