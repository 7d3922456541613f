/** Sends GraphiQL's operations. A transport error is shown as a sentence in place of the result. */
import { createGraphiQLFetcher, type Fetcher, type FetcherReturnType } from '@graphiql/toolkit';
import { GraphQLError } from 'graphql';
import { ENDPOINT, fetchInSession } from '../src/api/session.js';

/** The editor's headers are sent over HTTP as they are, and over the socket in its first message. */
const send = createGraphiQLFetcher({
  url: ENDPOINT,
  subscriptionUrl: new URL(ENDPOINT, window.location.href.replace(/^http/, 'ws')).href,
  fetch: fetchInSession,
  enableIncrementalDelivery: false, // the server does not split results
});

type Answer = Awaited<FetcherReturnType>;
type Events = Extract<Answer, AsyncIterable<unknown>>;
type Result = Events extends AsyncIterable<infer Each> ? Each : never;

export const fetcher: Fetcher = (...request) => fetchExplained(...request) as ReturnType<Fetcher>;

async function fetchExplained(...request: Parameters<Fetcher>): Promise<Answer> {
  try {
    const answer = await send(...request);
    return isIterable(answer) ? followed(answer) : answer;
  } catch (error) {
    return explained(error);
  }
}

const isIterable = (answer: Answer): answer is Events =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;

async function* followed(events: Events): AsyncGenerator<Result> {
  try {
    yield* events;
  } catch (error) {
    yield explained(error);
  }
}

/** The thrown error is of little use to the user, and GraphiQL would show its stack trace. */
function explained(error: unknown): Result {
  if (Array.isArray(error)) return { errors: error }; // the server's errors for a subscription
  const said = error instanceof CloseEvent && error.reason ? ` It said: ${error.reason}.` : '';
  return {
    errors: [new GraphQLError(`The server cannot be reached.${said} Run the operation again when it is back.`)],
  };
}
