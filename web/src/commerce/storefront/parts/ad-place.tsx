/** The zone for ads in the shop, if there is one. The script that fills zones on pages of other sites fills it as well. */
import { useEffect, useRef } from 'react';
import { graphql } from '../../../../generated/gql.js';
import type { ShopAdPlaceQuery } from '../../../../generated/graphql.js';
import { useData } from '../../../api/use-data.js';
import { useDomain } from '../../../api/use-domain.js';
import styles from './ad-place.module.css';

const AdPlaceDocument = graphql(`
  query ShopAdPlace($origin: String!) {
    shopAdPlace(origin: $origin) { site zone size }
  }
`);

const here = { origin: window.location.origin };

/** @param keywords what the page is about. Others make it another place, with another ad */
export function AdPlace({ keywords = [] }: { readonly keywords?: readonly string[] }) {
  const { data } = useData(AdPlaceDocument, useDomain('ads') ? here : null);
  const place = data?.shopAdPlace;
  const words = keywords.join(',');
  return place ? <Zone key={words} place={place} keywords={words} /> : null;
}

interface ZoneProps {
  readonly place: NonNullable<ShopAdPlaceQuery['shopAdPlace']>;
  /** Separated by commas. */
  readonly keywords: string;
}

/** The script looks for zones each time it is added, and leaves those alone that it has filled. */
function Zone({ place: { site, zone, size }, keywords }: ZoneProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const script = document.createElement('script');
    script.dataset.site = site;
    script.src = '/ads.js';
    section.current?.append(script);
    return () => script.remove();
  }, [site]);
  return (
    <section ref={section} className={styles.place} aria-label="Advertisement">
      <div data-zone={zone} data-size={size} data-keywords={keywords} />
    </section>
  );
}
