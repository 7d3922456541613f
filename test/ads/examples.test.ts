/** The examples of ads in GraphiQL, run one after the other as somebody would who tries them. */
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/shared/time.js';
import { useDatabase } from '../support/database.js';
import { type Answer, askExample, operationsOf, type Told, type Values } from '../support/examples.js';
import { useServer } from '../support/server.js';

const database = useDatabase();
const server = useServer(database);

const operations = operationsOf('ads');
const EXAMPLE_SITE = 'example.org';

const TOLD: Told = {
  OpenAccount: ({ openAccount }) => ({ accountId: openAccount?.id }),
  AddAdvertiser: ({ addAdvertiser }) => ({ advertiserId: addAdvertiser?.id }),
  CreateCampaign: ({ createCampaign }) => ({ campaignId: createCampaign?.id }),
};

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
        const unknown = await askExample(server, operation, values);
        expect(unknown.decideAds?.ads).toEqual([]);
        values = { ...values, visitor: unknown.decideAds?.visitor };
      }
      const answer = await askExample(server, operation, values);
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
