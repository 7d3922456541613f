/** The server dies while the people leave a circle that is deleted: those who have not left are still in it, and a repetition goes on. */
import { expect } from 'vitest';
import { people } from '../../../src/models/social/network/person.js';
import { toGlobalId } from '../../../src/shared/global-id.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';
import { storeMembers } from '../stored-people.js';

const MEMBERS = 600; // three transactions of up to 250
const LEFT = 100;
const DELETE = 'mutation ($id: ID!) { deleteCircle(id: $id) { __typename } }';

/** The administrator deletes a circle. What is seen is its id. */
export const circleDeleted: Scenario<string> = {
  failpoints: { 'social.circle-shrunk': 2 },
  async act(product, db) {
    await product.request('mutation { saveProfile(input: {}) { id } }');
    const owner = (await people(db).findOne({}))?._id ?? '';
    await storeMembers(db, owner, ['crew'], MEMBERS);
    const id = toGlobalId('Circle', `${owner}/crew`);
    expect(await answerOrNull(product.request(DELETE, { id }))).toBeNull();
    return id;
  },
  async judge(product, db, id) {
    const ownCircles = async () => (await product.request('{ circles { memberCount } }')).data;
    expect(await ownCircles()).toEqual({ circles: [{ memberCount: LEFT }] });
    expect(await people(db).countDocuments({ follower_count: 1 })).toBe(LEFT);
    expect((await product.request(DELETE, { id })).data).toEqual({ deleteCircle: { __typename: 'DeletedCircle' } });
    expect(await ownCircles()).toEqual({ circles: [] });
    expect(await people(db).countDocuments({ follower_count: { $ne: 0 } })).toBe(0);
  },
};
