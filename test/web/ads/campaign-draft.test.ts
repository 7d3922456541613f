/** What the server gets of a campaign that is entered. */
import { describe, expect, it } from 'vitest';
import { inputOf, newDraft } from '../../../web/src/ads/data/campaign-draft.js';

const draft = {
  ...newDraft(Date.UTC(2026, 0, 1)),
  advertiserId: 'anna',
  accountId: 'purse',
  name: 'Tea',
  price: '5',
  budget: '100',
};
const top = { site: 'tea.example', zone: 'top' };

describe('the zones of a campaign', () => {
  it.each([
    ['those that were added', [top], { site: '', zone: '' }, [top]],
    [
      'one that is typed and was not added',
      [top],
      { site: ' Tea.example ', zone: 'side ' },
      [top, { ...top, zone: 'side' }],
    ],
    ['one that is typed again once', [top], top, [top]],
    ['none without a name', [top], { site: 'tea.example', zone: '' }, [top]],
  ])('are %s', (_case, placements, typed, expected) => {
    expect(inputOf({ ...draft, placements, typed }, 'EUR')).toMatchObject({ placements: expected });
  });
  it('need a site', () => {
    expect(inputOf({ ...draft, typed: { site: '', zone: 'top' } }, 'EUR')).toBe('Enter the site of the zone');
  });
});
