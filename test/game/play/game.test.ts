/** The game in a terminal, when the server fails to carry out a line. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/cli/play/connection.js';
import type { Screen } from '../../../src/cli/play/documents.js';
import { Game } from '../../../src/cli/play/game.js';
import { ServerError } from '../../../src/cli/play/server-error.js';
import type { Terminal } from '../../../src/cli/play/terminal.js';

const screen: Screen = {
  id: 'tim',
  name: 'Tim',
  gold: 100,
  location: { id: 'hall', name: 'The hall', description: '', exits: [], players: [], items: [] },
  inventory: [],
  happenings: [{ number: 1, kind: 'CAME', text: 'You are here.', who: { id: 'tim' } }],
};

/** Types some lines, of which the server answers the first one with an error. @returns what was printed */
async function playWith(code: string, printed: string[]): Promise<void> {
  const lines = ['first', 'second'];
  const terminal = {
    readLine: async () => {
      const [text] = lines.splice(0, 1);
      return text === undefined ? null : { text, at: Date.now() };
    },
    print: (text: string) => printed.push(text),
    close: () => undefined,
  } as unknown as Terminal;
  const connection = {
    watch: () => undefined,
    ask: async (_query: string, { text }: { readonly text: string }) => {
      if (text === 'first') throw new ServerError('It went wrong', code);
      return {
        answer: { ...screen, happenings: [{ number: 2, kind: 'PUT', text: `You did the ${text}.`, who: null }] },
      };
    },
  } as unknown as Connection;
  await new Game(connection, terminal, [], screen).play();
}

describe('a line that the server fails to carry out', () => {
  it.each(['BAD_USER_INPUT', 'INTERNAL_SERVER_ERROR', 'RATE_LIMITED'])(
    'is answered with the error, and the next one is sent, after %s',
    async (code) => {
      const printed: string[] = [];
      await playWith(code, printed);
      expect(printed.slice(1)).toEqual(['It went wrong', 'You did the second.']);
    },
  );

  it.each(['UNAUTHENTICATED', 'REFUSED', 'FORBIDDEN'])('ends the game after %s', async (code) => {
    const printed: string[] = [];
    await expect(playWith(code, printed)).rejects.toThrow('It went wrong');
  });
});
