/** The examples of ads in GraphiQL, run one after the other as somebody would who tries them. */
import { type OperationDefinitionNode, print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { type Answer, operationsOf } from '../support/examples.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const operations = operationsOf('ads');
type Values = Readonly<Record<string, unknown>>;

const EXAMPLE_SITE = 'example.org';
const REFUSED = /"message"/;

/** What a later example needs, by the operation whose answer tells it. */
const TOLD: Readonly<Record<string, (answer: Answer) => Values>> = {
  OpenAccount: ({ openAccount }) => ({ accountId: openAccount?.id }),
  AddAdvertiser: ({ addAdvertiser }) => ({ advertiserId: addAdvertiser?.id }),
  CreateCampaign: ({ createCampaign }) => ({ campaignId: createCampaign?.id }),
};

async function ask(operation: OperationDefinitionNode, values: Values): Promise<Answer> {
  const declared = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  const variables = Object.fromEntries(declared.map((each) => [each, values[each]]));
  const name = operation.name?.value;
  if (operation.operation === 'subscription') {
    const events = server.connect(server.token).iterate<Answer>({ query: print(operation), variables });
    const { value } = await events.next();
    await events.return?.();
    expect(value?.errors, name).toBeUndefined();
    return value?.data ?? {};
  }
  const { data, errors } = await server.request<Answer>(print(operation), variables);
  expect(errors, name).toBeUndefined();
  expect(JSON.stringify(data), name).not.toMatch(REFUSED);
  return data ?? {};
}

describe('the examples of ads', () => {
  it('run as they are, in their order, and are not refused', async () => {
    await server.request('mutation ($host: String!) { registerSite(input: { host: $host }) { __typename } }', {
      host: EXAMPLE_SITE,
    });
    let values: Values = {
      exampleSite: EXAMPLE_SITE,
      flightEnd: new Date(Date.now() + 7 * DAY_MS).toISOString(),
      visitor: '',
    };
    const answers: Record<string, Answer> = {};
    for (const operation of operations) {
      const name = operation.name?.value ?? '';
      if (name === 'DecideAds') {
        const unknown = await ask(operation, values);
        expect(unknown.decideAds?.ads).toEqual([]);
        values = { ...values, visitor: unknown.decideAds?.visitor };
      }
      const answer = await ask(operation, values);
      answers[name] = answer;
      const [ad] = (answer.decideAds?.ads ?? []) as { receipt: string }[];
      values = { ...values, ...TOLD[name]?.(answer), ...(ad && { receipt: ad.receipt }) };
    }
    expect(answers.DecideAds).toMatchObject({ decideAds: { ads: [{ headline: 'An example' }] } });
    expect(answers.ExplainDecision).toMatchObject({ explainDecision: { considered: [{ verdict: 'SHOWN' }] } });
    expect(answers.RecordImpressions).toMatchObject({ recordImpressions: { recorded: 1 } });
    expect(answers.EndCampaign).toMatchObject({
      endCampaign: { state: 'ENDED', spent: { amount: 1, currency: 'EUR' } },
    });
  });
});
