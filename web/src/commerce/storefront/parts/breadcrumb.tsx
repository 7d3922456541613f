import { Link } from '../../../kit/controls/link.js';
import { categoryAddress, homeAddress } from './addresses.js';
import styles from './breadcrumb.module.css';

/** The path from the home page to the current page. @param steps the root first */
export function Breadcrumb({ steps }: { steps: readonly { readonly slug: string; readonly name: string }[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={styles.steps}>
        <li>
          <Link href={homeAddress}>Shop</Link>
        </li>
        {steps.map(({ slug, name }) => (
          <li key={slug}>
            <Link href={categoryAddress(slug)}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
