/**
 * Names and titles entered by users contain nothing invisible, wherever the schema takes one. The domains list these places
 * (`test/<domain>/lists/text-places.ts`).
 */
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { makeSchema } from '../../../src/server/operations/schema.js';
import { requireVisible } from '../../../src/shared/visible-text.js';
import { domains } from '../../domains.js';
import { useDatabase } from '../../support/database.js';
import { useServer } from '../../support/server.js';
import { changesOf } from './unchanged.js';

const database = useDatabase();
const server = useServer(database, { SIGN_UP: 'open' });

const texts = (await Promise.all(domains.map((domain) => domain.textPlaces?.() ?? []))).flat();
/** How a name is entered, by the place in the schema. */
const places = texts.flatMap(({ names }) => Object.entries(names));
const knownPlaces = new Set([...places.map(([place]) => place), ...texts.flatMap(({ others }) => others)]);
/** Arguments that are keys or secrets in every domain. */
const OTHER_ARGUMENTS = /\.(sku|idempotencyKey|token|password|newPassword|refreshToken)$/;

/** Every `String` in the arguments of mutations, including those of input types. */
function textPlaces(): string[] {
  const found = new Set<string>();
  const lookAt = (place: string, type: GraphQLInputType) => {
    const named = getNamedType(type);
    if (named.name === 'String') found.add(place);
    if (!isInputObjectType(named)) return;
    for (const field of Object.values(named.getFields())) {
      const inner = `${named.name}.${field.name}`;
      if (!found.has(inner)) lookAt(inner, field.type);
    }
  };
  const mutations = makeSchema().getMutationType()?.getFields() ?? {};
  for (const { name, args } of Object.values(mutations))
    for (const argument of args) lookAt(`${name}.${argument.name}`, argument.type);
  return [...found];
}

const hidden: readonly [what: string, name: string, told: RegExp][] = [
  ['only zero-width spaces', '\u200b\u200b', /U\+200B.*position 1/],
  ['a direction override', 'abc\u202egnp.exe', /U\+202E.*position 4/],
  ['a direction isolate', 'ab\u2066c', /U\+2066.*position 3/],
  ['a byte order mark inside', 'a\ufeffb', /U\+FEFF.*position 2/],
  ['a soft hyphen', 'a\u00adb', /U\+00AD.*position 2/],
  ['a tag', `a${String.fromCodePoint(0xe0041)}`, /U\+E0041.*position 2/],
  ['a line separator', 'a\u2028b', /U\+2028.*position 2/],
  ['a control character', 'a\u0007b', /U\+0007.*position 2/],
  ['only a filler', '\u3164', /U\+3164.*position 1/],
  ['only a blank Braille pattern', '\u2800', /U\+2800.*position 1/],
  ['only an accent', '\u0301', /visible character/],
];

describe('a name that hides something', () => {
  it('is tested wherever the schema takes a text', () => {
    const known = (place: string) => knownPlaces.has(place) || OTHER_ARGUMENTS.test(place);
    expect(textPlaces().filter((place) => !known(place))).toEqual([]);
  });

  it.each(places)('is rejected, with the character and its position: %s', async (_place, send) => {
    for (const [what, name, told] of hidden) {
      const { query, variables } = send(name);
      let text = '';
      const changes = await changesOf(database.db, async () => {
        text = JSON.stringify(await server.request(query, variables));
      });
      expect({ what, text, changes }).toEqual({ what, text: expect.stringMatching(told), changes: [] });
    }
  });

  it.each(places)('is accepted in any language when it hides nothing: %s', async (_place, send) => {
    const { query, variables } = send('Zoë 小林 می‌خواهم 👩‍🚀');
    const text = JSON.stringify(await server.request(query, variables));
    expect(text).not.toMatch(/hidden|visible character/);
  });
});

describe('a visible text', () => {
  it.each([
    'a',
    '  a  ',
    'Ærøskøbing',
    'नमस्ते',
    'क्‍ष',
    'می‌روم',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈',
    '👍🏽',
    '❤️‍🔥',
    '1\ufe0f\u20e3',
    '葛\u{e0100}',
    'ᠮᠣ\u180bᠩ',
    '!?',
    '0',
    'e\u0301',
  ])('is accepted: %j', (text) => {
    expect(requireVisible('name', text, 100)).toBe(text.trim());
  });

  it.each([
    'a\u200d',
    '\u200da',
    'a\u200d\u200db',
    'a \u200c b',
    'ad\u200cmin',
    '1\u200d2',
    'admin\u3164',
    'ad\u034fmin',
    'a\ufe0fb',
    '1\ufe0f',
    'ab\u2800',
    '',
    '   ',
    'x'.repeat(101),
  ])('is rejected otherwise: %j', (text) => {
    expect(() => requireVisible('name', text, 100)).toThrow(/^name must/);
  });
});
