/** The names of the sites, for pages that ask about one of them. */
import { graphql } from '../generated/gql.js';

export const SiteHostsDocument = graphql(`
  query SiteHosts {
    sites { __typename id host }
  }
`);
