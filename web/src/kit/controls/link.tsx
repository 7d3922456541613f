import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { navigate } from '../base/location.js';

/** A link to a page of the dashboard, opened without a page load. What is on the same page is left to the browser. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const open = (event: MouseEvent) => {
    if (href.startsWith('#') || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0)
      return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={open} {...rest} />;
}
