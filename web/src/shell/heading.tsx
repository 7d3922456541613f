/** The heading of a page that is about one thing, for example the name of a campaign. The frame of the section has its place. */
import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';

export const HeadingPlace = createContext<HTMLElement | null>(null);

export function Heading({ children }: { readonly children: ReactNode }) {
  const place = useContext(HeadingPlace);
  return place && createPortal(children, place);
}
