/** Sends what GraphiQL runs. What went wrong on the way is told in a sentence, in the place of the answer. */
import { createGraphiQLFetcher, type Fetcher, type FetcherReturnType } from '@graphiql/toolkit';
import { GraphQLError } from 'graphql';
import { ENDPOINT, fetchInSession } from '../src/session.js';

/** Headers of the editor go along: over HTTP as they are, over the socket in its first message. */
const send = createGraphiQLFetcher({
  url: ENDPOINT,
  subscriptionUrl: new URL(ENDPOINT, window.location.href.replace(/^http/, 'ws')).href,
  fetch: fetchInSession,
  enableIncrementalDelivery: false, // the server sends each answer whole
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

/** What is thrown says little that a person can use, and GraphiQL would show where in our scripts it was thrown. */
function explained(error: unknown): Result {
  if (Array.isArray(error)) return { errors: error }; // what the server said to a subscription
  const said = error instanceof CloseEvent && error.reason ? ` It said: ${error.reason}.` : '';
  return {
    errors: [new GraphQLError(`The server cannot be reached.${said} Run the operation again when it is back.`)],
  };
}
