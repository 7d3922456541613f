/** The empty state of the content: begin with a blog, or add sample data. */

import { FirstSteps } from '../../kit/display/first-steps.js';
import { Icon } from '../../kit/display/icon.js';
import { useRole } from '../../shell/access.js';
import { SeedOffer } from '../../shell/seed/seed-offer.js';
import styles from './first-steps.module.css';

interface ContentFirstStepsProps {
  readonly onCreate: () => void;
  readonly onSeeded: () => void;
}

export function ContentFirstSteps({ onCreate, onSeeded }: ContentFirstStepsProps) {
  const administers = useRole('ADMIN');
  return (
    <FirstSteps
      head={
        <>
          <h2>Nothing is written yet</h2>
          <p>Begin with a blog{administers && ', or fill it with sample data to see how everything works'}.</p>
        </>
      }
    >
      <ul className={styles.list}>
        <li className="card">
          <h3>Begin with a blog</h3>
          <p>
            Create a blog, and write its first post. Everything stays a draft until you publish it. A blog at the root
            with the slug <code>blog</code> is the home page of the public site.
          </p>
          <button type="button" className="button primary" onClick={onCreate}>
            <Icon name="plus" /> New blog
          </button>
        </li>
        {administers && (
          <li className="card">
            <h3>Look around first</h3>
            <SeedOffer domain="content" next="Go to the content" onNext={onSeeded}>
              A blog about navigation, with pictures, code, a quotation and a video, a gallery of drawings, a draft and
              a scheduled post. You can undo it later: what you have not changed is removed.
            </SeedOffer>
          </li>
        )}
      </ul>
    </FirstSteps>
  );
}
