/** The zones that are entered for a campaign. */
import { describe, expect, it } from 'vitest';
import { placementsOf } from '../../../web/src/ads/data/placements.js';

const top = { site: 'tea.example', zone: 'top' };
const side = { ...top, zone: 'side' };

describe('the zones of a campaign', () => {
  it.each([
    ['those that were added', { site: '', zone: '' }, [top]],
    ['one that is typed and was not added', { site: ' Tea.example ', zone: 'side ' }, [top, side]],
    ['one that is typed again only once', top, [top]],
    ['not a site without a name of the zone', { site: 'tea.example', zone: '' }, [top]],
  ])('are %s', (_case, typed, expected) => {
    expect(placementsOf({ placements: [top], typed })).toEqual(expected);
  });
  it('need a site', () => {
    expect(placementsOf({ placements: [], typed: { site: '', zone: 'top' } })).toBe('Enter the site of the zone');
  });
});
