import type { TestDomain } from '../support/domain/test-domain.js';
import { exemptions } from './lists/exemptions.js';

export const game: TestDomain = {
  name: 'game',
  exemptions,
  signs: {
    rootFields: ['characters', 'locations', 'commands', 'pickUpItem', 'sendCommand', 'roomChanged'],
    node: 'Character',
  },
};
