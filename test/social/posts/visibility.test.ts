import { describe, expect, it } from 'vitest';
import { NO_RELATION, type Relation } from '../../../src/models/social/network/relation.js';
import {
  type Audience,
  grants,
  isOverBlock,
  type Visible,
  visibilityRule,
} from '../../../src/models/social/posts/visibility.js';

const post = (audience: Audience, wall = 'ann'): Visible => ({
  author_id: 'ann',
  wall_id: wall,
  audience,
  circle_ids: audience === 'CIRCLES' ? ['friends'] : [],
});

const relations: Readonly<Record<string, Relation>> = {
  'a stranger': NO_RELATION,
  'in the circle': { circles: ['friends'], isBlocked: false },
  'in another circle': { circles: ['family'], isBlocked: false },
  'on the other side of a block': { circles: [], isBlocked: true },
};

describe('who sees a post', () => {
  it.each<[string, Audience, string]>([
    ['a stranger', 'PUBLIC', 'PUBLIC'],
    ['a stranger', 'MY_CIRCLES', 'NOT_IN_A_CIRCLE'],
    ['a stranger', 'CIRCLES', 'NOT_IN_A_CIRCLE'],
    ['in the circle', 'PUBLIC', 'PUBLIC'],
    ['in the circle', 'MY_CIRCLES', 'IN_A_CIRCLE'],
    ['in the circle', 'CIRCLES', 'IN_A_CIRCLE'],
    ['in another circle', 'PUBLIC', 'PUBLIC'],
    ['in another circle', 'MY_CIRCLES', 'IN_A_CIRCLE'],
    ['in another circle', 'CIRCLES', 'NOT_IN_A_CIRCLE'],
    ['on the other side of a block', 'PUBLIC', 'BLOCKED'],
    ['on the other side of a block', 'MY_CIRCLES', 'BLOCKED'],
    ['on the other side of a block', 'CIRCLES', 'BLOCKED'],
  ])('%s, of a post for %s: %s', (relation, audience, rule) => {
    const author = relations[relation] ?? NO_RELATION;
    expect(visibilityRule(post(audience), 'ben', author, author)).toBe(rule);
  });

  it.each<[Audience, string]>([
    ['PUBLIC', 'PUBLIC'],
    ['MY_CIRCLES', 'NOT_IN_A_CIRCLE'],
    ['CIRCLES', 'NOT_IN_A_CIRCLE'],
  ])('a visitor, of a post for %s: %s', (audience, rule) => {
    expect(visibilityRule(post(audience), null, NO_RELATION, NO_RELATION)).toBe(rule);
  });

  it.each<Audience>(['PUBLIC', 'MY_CIRCLES', 'CIRCLES'])(
    'the author sees a post for %s, also over a block',
    (audience) => {
      const blocked = { circles: [], isBlocked: true };
      expect(visibilityRule(post(audience, 'cid'), 'ann', NO_RELATION, blocked)).toBe('OWN');
    },
  );

  it.each<Audience>(['PUBLIC', 'MY_CIRCLES', 'CIRCLES'])(
    'the owner of the wall sees a post for %s, also over a block',
    (audience) => {
      const blocked = { circles: [], isBlocked: true };
      for (const author of [NO_RELATION, blocked])
        expect(visibilityRule(post(audience, 'ben'), 'ben', author, NO_RELATION)).toBe('ON_OWN_WALL');
    },
  );

  it('a block by the owner of the wall hides the post from others', () => {
    const blocked = { circles: ['friends'], isBlocked: true };
    expect(visibilityRule(post('PUBLIC', 'cid'), 'ben', NO_RELATION, blocked)).toBe('BLOCKED');
  });

  it('a block with the author or with the owner of the wall is one that nobody comments over', () => {
    const blocked = { circles: [], isBlocked: true };
    expect(isOverBlock(blocked, NO_RELATION)).toBe(true);
    expect(isOverBlock(NO_RELATION, blocked)).toBe(true);
    expect(isOverBlock(NO_RELATION, NO_RELATION)).toBe(false);
    expect(isOverBlock(null, null)).toBe(false);
  });

  it('of somebody who has left, nobody sees anything, nor on their wall; but authors see their own', () => {
    for (const reader of ['ben', 'cid', null]) {
      expect(visibilityRule(post('PUBLIC', 'cid'), reader, NO_RELATION, null)).toBe('LEFT');
      expect(visibilityRule(post('PUBLIC', 'cid'), reader, null, NO_RELATION)).toBe('LEFT');
    }
    expect(visibilityRule(post('CIRCLES', 'cid'), 'ann', NO_RELATION, null)).toBe('OWN');
  });

  it('nobody sees a deleted post', () => {
    const deleted = { ...post('PUBLIC'), deleted: new Date() };
    for (const reader of ['ann', 'ben', null])
      expect(visibilityRule(deleted, reader, NO_RELATION, NO_RELATION)).toBe('DELETED');
  });

  it('grants what it names, and nothing else', () => {
    expect((['OWN', 'ON_OWN_WALL', 'PUBLIC', 'IN_A_CIRCLE'] as const).every(grants)).toBe(true);
    expect((['DELETED', 'LEFT', 'BLOCKED', 'NOT_IN_A_CIRCLE'] as const).some(grants)).toBe(false);
  });
});
