/** `sextant play`: the game in a terminal, over the API of a server. */
import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import { characterIdOf, requireCharacterName } from '../../models/game/world/character-name.js';
import { InputError } from '../../shared/errors.js';
import { EXIT_FAILED } from '../../terminal/failure.js';
import { tell } from '../../terminal/output.js';
import { Connection } from '../play/connection.js';
import { CHARACTERS, CREATE, type KnownCommand, type Refused, type Screen } from '../play/documents.js';
import { Game } from '../play/game.js';
import { ServerError } from '../play/server-error.js';
import { Terminal } from '../play/terminal.js';

interface CommandOptions {
  readonly url: string;
  readonly email: string;
  readonly character?: string;
  readonly class: string;
}

/** As the server's `EmailAddress`, which would name a variable of ours in its message. */
const EMAIL = /^(?=.{3,254}$)[^\s@\p{C}]{1,64}@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u;
const CLASSES = ['warrior', 'mage', 'rogue', 'cleric'];

export const playCommand = new Command('play')
  .summary('play the text game')
  .description('play the text game of a server in this terminal')
  .requiredOption(
    '--email <address>',
    'of your account; the password is asked for, or is the first line of standard input',
    emailOf,
  )
  .option('--url <url>', 'of the server', addressOf, 'http://localhost:4000')
  .option(
    '--character <name>',
    'the character to play, which is created if you have none of this name; default: your only one',
    nameOf,
  )
  .addOption(new Option('--class <class>', 'of a new character').choices(CLASSES).default('rogue'))
  .addHelpText(
    'after',
    '\nIt continues by itself after a lost connection, and shows what has happened meanwhile.' +
      '\nCtrl-D, Ctrl-C or quit leaves the game. The character stays where it is.',
  )
  .action(async (options: CommandOptions) => {
    const terminal = new Terminal();
    const connection = new Connection(options.url, (isLost) =>
      terminal.print(isLost ? '(The connection is lost. Trying again …)' : '(Connected again.)'),
    );
    terminal.onLeave = (isAtOnce) => void (isAtOnce ? connection.close() : connection.closeOnceLost());
    try {
      await play(terminal, connection, options);
    } catch (error) {
      terminal.close(); // the message gets a line of its own
      if (connection.isClosed && !(error instanceof ServerError)) return; // who plays has left
      tell(error instanceof ServerError ? error.message : unreachable(options.url, error as Error));
      process.exitCode = EXIT_FAILED;
    } finally {
      terminal.close();
      await connection.close();
    }
  });

/** @throws InvalidArgumentError */
function addressOf(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must begin with http:// or https://.');
  return text.replace(/\/+$/, '');
}

/** @throws InvalidArgumentError */
function emailOf(text: string): string {
  if (!EMAIL.test(text)) throw new InvalidArgumentError('It must be an email address.');
  return text;
}

/** @throws InvalidArgumentError */
function nameOf(text: string): string {
  try {
    return requireCharacterName('It', text);
  } catch (error) {
    throw error instanceof InputError ? new InvalidArgumentError(`${error.message}.`) : error;
  }
}

/** `fetch` names the reason in the cause of its error. */
function unreachable(url: string, error: Error): string {
  const { message } = error.cause instanceof Error ? error.cause : error;
  return `The server at ${url} cannot be reached${message === '' ? '' : `: ${message}`}`;
}

/** @throws ServerError */
async function play(terminal: Terminal, connection: Connection, options: CommandOptions): Promise<void> {
  const password = await terminal.readHidden(`Password of ${options.email}: `);
  if (password === null) throw new ServerError('No password was entered', 'NO_PASSWORD');
  await connection.signIn({ email: options.email, password });
  const { characters, commands } = await connection.ask<{
    readonly characters: readonly Screen[];
    readonly commands: readonly KnownCommand[];
  }>(CHARACTERS, {});
  const screen = await choose(connection, characters, options);
  await new Game(connection, terminal, commands, screen).play();
}

/** @throws ServerError */
async function choose(
  connection: Connection,
  characters: readonly Screen[],
  { character: wanted, class: kind }: CommandOptions,
): Promise<Screen> {
  const [only, other] = characters;
  if (wanted === undefined) {
    if (only && !other) return only;
    const names = characters.map(({ name }) => name).join(', ');
    throw new ServerError(only ? `Choose a --character: ${names}` : 'Name your first --character', 'NO_CHARACTER');
  }
  const found = characters.find(({ name }) => characterIdOf(name) === characterIdOf(wanted));
  if (found) return found;
  const input = { name: wanted, class: kind.toUpperCase() };
  const variables = { input, key: randomUUID() };
  const { answer } = await connection.ask<{ readonly answer: Screen | Refused }>(CREATE, variables);
  if ('message' in answer) throw new ServerError(answer.message, answer.__typename);
  return answer;
}
