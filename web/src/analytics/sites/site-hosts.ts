/** The hostnames of the sites, for pages that show one of them. */
import { graphql } from '../../../generated/gql.js';

export const SiteHostsDocument = graphql(`
  query SiteHosts {
    sites { __typename id host }
  }
`);
