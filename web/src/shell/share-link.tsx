/** Leads to a new post in the network about an object. */
import { useDomain } from '../api/use-domain.js';
import { Link } from '../kit/controls/link.js';
import { Icon } from '../kit/display/icon.js';
import { useRole } from './access.js';

/** Where a post about an object is written. */
export const shareAddress = (id: string): string => `/social?about=${encodeURIComponent(id)}`;

/** Nothing on servers without a network, and for people who may not post. */
export function ShareLink({ id, className = 'button quiet' }: { id: string; className?: string }) {
  const canPost = useRole('MEMBER');
  return useDomain('social') && canPost ? (
    <Link className={className} href={shareAddress(id)}>
      <Icon name="share" /> Share
    </Link>
  ) : null;
}
