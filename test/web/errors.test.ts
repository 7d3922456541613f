/** Errors of the server as sentences for the user. */
import { describe, expect, it } from 'vitest';
import { explainGraphQLError } from '../../web/src/kit/base/errors.js';
import { inMoney } from '../../web/src/kit/base/money.js';

const explain = (field: string, rule: string) =>
  explainGraphQLError({ message: `${field} ${rule}`, extensions: { field, rule } });

describe('an error of an input', () => {
  it.each([
    ['input.newPassword', 'The new password must fit'],
    ['amount.amount', 'The amount must fit'],
    ['input.budget.amount', 'The budget must fit'],
    ['keywords.1', 'Keyword 2 must fit'],
    ['input.categories.0', 'Category 1 must fit'],
    ['input.keywords.1.bid.amount', 'The bid of keyword 2 must fit'],
    ['input.caps.0.period', 'The period of cap 1 must fit'],
    ['0.name', 'The name must fit'],
  ])('at %s begins as “%s”', (field, words) => {
    expect(explain(field, 'must fit')).toBe(words);
  });

  it.each([
    ['must be from 1 to 100000000 minor units of EUR', 'The price must be from €0.01 to €1,000,000.00'],
    ['must be at least 500 minor units of JPY', 'The price must be at least ¥500'],
    ['must be from 1 to 20 characters', 'The price must be from 1 to 20 characters'],
  ])('has its amounts as money: %s', (rule, sentence) => {
    expect(explain('input.price.amount', rule)).toBe(sentence);
  });
});

describe('amounts in a remark', () => {
  it('are all written as money', () => {
    expect(inMoney('The floor is 500 minor units of EUR, and 20 minor units of EUR are offered')).toBe(
      'The floor is €5.00, and €0.20 are offered',
    );
  });
});
