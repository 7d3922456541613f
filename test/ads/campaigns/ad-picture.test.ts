/** The pictures of ads: whoever may see an ad sees its picture, so an advertiser shows only those that are their own. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { addAdvertiser } from '../../../src/models/ads/advertisers/advertiser.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { useDatabase } from '../../support/database.js';
import { addSignedIn, type SignedIn } from '../../support/people.js';
import { useServer } from '../../support/server.js';
import { upload } from '../../system/assets/asset-client.js';
import { noise } from '../../system/assets/picture-support.js';
import { openNetwork, SIZE } from '../network.js';

const database = useDatabase();
const server = useServer(database);

const ADD = `mutation ($id: ID!, $input: AdUnitInput!) {
  answer: addAdUnit(campaignId: $id, input: $input) { ... on AdUnit { id image { id } } }
}`;
const CHANGE = `mutation ($id: ID!, $input: AdUnitInput!) {
  answer: changeAdUnit(id: $id, input: $input) { ... on AdUnit { id image { id } } }
}`;

it('an ad unit shows only a picture that was uploaded by who adds or changes it', async () => {
  const { db } = database;
  const now = new Date();
  const network = await openNetwork(db, { now });
  const people: SignedIn[] = [];
  for (const name of ['ann', 'ben']) people.push(await addSignedIn(db, server.services.config, name, 'ADVERTISER'));
  const pictures = [];
  const campaigns = [];
  for (const { token, reference } of people) {
    pictures.push((await upload(server, token, await noise().jpeg().toBuffer())).data?.uploadPicture.id);
    const advertiser = await addAdvertiser(db, { id: randomUUID(), name: 'A shop', owner: reference._id }, now);
    campaigns.push(toGlobalId('Campaign', (await network.draft({ units: [] }, advertiser))._id));
  }
  const send = (query: string, id: string | undefined, imageId: unknown) =>
    server.request<{ answer: { id: string; image: object | null } }>(
      query,
      { id, input: { size: SIZE, headline: 'An ad', landingUrl: 'https://ben.example/', imageId } },
      people[1]?.token ?? '',
    );
  const [others, own] = pictures;
  const refused = [{ extensions: { code: 'BAD_USER_INPUT', field: 'input.imageId' } }];
  expect((await send(ADD, campaigns[1], others)).errors).toMatchObject(refused);
  const added = await send(ADD, campaigns[1], own);
  expect(added.data?.answer.image).toEqual({ id: own });
  const unit = added.data?.answer.id;
  expect((await send(CHANGE, unit, others)).errors).toMatchObject(refused);
  expect((await send(CHANGE, unit, own)).data?.answer.image).toEqual({ id: own });
  expect(await db.collection('ad.units').countDocuments()).toBe(1);
});
