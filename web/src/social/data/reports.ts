/** The posts that were reported, for editors. */
import { graphql } from '../../../generated/gql.js';
import { mutate } from '../../api/client.js';

export const ReportedPostsDocument = graphql(`
  query ReportedPosts($first: Int!) {
    reportedPosts(first: $first) {
      edges { node { ...SocialPost reports { by { id name } at reason } } }
      pageInfo { hasNextPage }
    }
  }
`);

const DismissReportsDocument = graphql(`
  mutation DismissReports($id: ID!) { dismissReports(id: $id) { reported } }
`);

/** An empty list has no entry by whose type the cache could notice a change. */
const POSTS = { additionalTypenames: ['Post'] };

/** @returns why it failed, or null */
export async function dismissReports(id: string): Promise<string | null> {
  const answer = await mutate(DismissReportsDocument, { id }, POSTS);
  return typeof answer === 'string' ? answer : null;
}
