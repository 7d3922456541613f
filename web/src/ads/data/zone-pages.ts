/** On which pages of this server a zone is shown. The server knows blogs only while domain content runs. */
import { graphql } from '../../../generated/gql.js';
import type { ZoneInput } from '../../../generated/graphql.js';
import { useData } from '../../api/use-data.js';
import { useDomain } from '../../api/use-domain.js';
import type { Zone } from './zones.js';

const ZoneBlogsDocument = graphql(`
  query ZoneBlogs($site: String!) {
    zones(site: $site) { __typename id blogId }
    nodes(filter: { type: BLOG }, first: 100) { edges { node { __typename id title } } }
  }
`);

const ofBlogs = { additionalTypenames: ['Zone', 'Blog'] };

/** Besides ids of blogs. */
export const NOWHERE = '';
export const SHOP = 'shop';

interface ZonePages {
  /** `NOWHERE`, `SHOP` or the id of a blog. */
  readonly shownOn: string;
  readonly blogs: readonly { readonly id: string; readonly title: string }[];
  /** What to save. */
  readonly inputOf: (shownOn: string) => Pick<ZoneInput, 'inShop' | 'blogId'>;
}

/** @param zone null: a new one @returns null while it is not known */
export function useZonePages(site: string, zone: Pick<Zone, 'id' | 'inShop'> | null): ZonePages | null {
  const hasContent = useDomain('content');
  const { data } = useData(ZoneBlogsDocument, hasContent ? { site } : null, ofBlogs);
  if (hasContent && !data) return null;
  const blogId = data?.zones.find(({ id }) => id === zone?.id)?.blogId;
  return {
    shownOn: zone?.inShop ? SHOP : (blogId ?? NOWHERE),
    blogs: data?.nodes.edges.map(({ node: { id, title } }) => ({ id, title })) ?? [],
    inputOf: (shownOn) => ({
      inShop: shownOn === SHOP,
      ...(hasContent && { blogId: shownOn === SHOP || shownOn === NOWHERE ? null : shownOn }),
    }),
  };
}
