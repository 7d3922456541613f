/** The server dies when an account has a new name, which the network does not have yet. */
import { expect } from 'vitest';
import { waitFor } from '../../../harness/wait-for.js';
import { answerOrNull, type Scenario } from '../../crash/scenario.js';

const WAIT_MS = 60_000;

/** The administrator, renamed. */
export const nameChange: Scenario<void> = {
  failpoints: { 'people.name-changed': 1 },
  async act(product) {
    await product.request('mutation { saveProfile(input: {}) { id } }');
    expect(await answerOrNull(product.request('mutation { changeName(name: "Renamed") { id } }'))).toBeNull();
  },
  async judge(product) {
    await waitFor('the new name in the network', WAIT_MS, async () => {
      const { data } = await product.request<{ profile: { name: string } }>('{ profile { name } }');
      return data?.profile.name === 'Renamed' ? true : null;
    });
  },
};
