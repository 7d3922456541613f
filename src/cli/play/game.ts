/** The game in a terminal: what is typed goes to the server, and what happens is shown once. */
import { randomUUID } from 'node:crypto';
import { HAPPENINGS_KEPT } from '../../models/game/world/happening.js';
import { completionsOf } from './completion.js';
import { type Connection, isOfOneRequest } from './connection.js';
import { FOLLOW, GOODS, type KnownCommand, type Refused, type Screen, SEND, type SeenItem } from './documents.js';
import { type ServerError, TooOldError } from './server-error.js';
import type { LiveEvent } from './subscription.js';
import type { Terminal, TypedLine } from './terminal.js';

/** Words that the terminal itself understands, unless the server does. */
const QUIT = ['quit', 'bye'];
const HELP = ['help', '?'];
const isOneOf = (words: readonly string[], line: string) => words.includes(line.trim().toLowerCase());

export class Game {
  #screen: Screen;
  /** The number of the last happening that was shown. */
  #shown: number;
  #shownRoom: string | null = null;
  #goods: readonly SeenItem[] = [];
  #ended: ServerError | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly terminal: Terminal,
    private readonly commands: readonly KnownCommand[],
    screen: Screen,
  ) {
    this.#screen = screen;
    this.#shown = screen.happenings.at(-1)?.number ?? 0;
  }

  /** Plays to the end of the input, or until the character is gone. @throws ServerError */
  async play(): Promise<void> {
    this.terminal.complete = (line) => Promise.resolve(completionsOf(line, this.commands, this.#screen, this.#goods));
    this.terminal.isLast = (line) => isOneOf(QUIT, line);
    this.#showRoom();
    this.connection.watch<LiveEvent & { readonly character: Screen }>(
      FOLLOW,
      { id: this.#screen.id },
      ({ character }) => this.#show(character),
      (error) => {
        this.#ended = error;
        this.terminal.close();
      },
    );
    for (let line = await this.terminal.readLine(); line !== null; line = await this.terminal.readLine()) {
      const text = line.text.trim();
      if (isOneOf(QUIT, text)) return;
      if (isOneOf(HELP, text)) this.#showHelp();
      else if (this.connection.isClosed) this.terminal.print(`This was not sent: ${text}`);
      else if (text !== '') await this.#send({ text, at: line.at });
    }
    if (this.#ended) throw this.#ended;
  }

  /** A retry after a lost connection has the same key, so nothing is done twice. */
  async #send({ text, at }: TypedLine): Promise<void> {
    const variables = { id: this.#screen.id, text, key: randomUUID() };
    try {
      const { answer } = await this.connection.ask<{ readonly answer: Screen | Refused }>(SEND, variables, at);
      if ('message' in answer) this.#showRefusal(answer);
      else this.#show(answer);
    } catch (error) {
      if (this.connection.isClosed) return this.terminal.print(`It is not known whether this was done: ${text}`);
      if (error instanceof TooOldError) return this.terminal.print(`${error.message}: ${text}`);
      if (!isOfOneRequest(error)) throw error;
      this.terminal.print(error.message);
    }
  }

  #showRefusal({ message, suggestions = [] }: Refused): void {
    const hint = suggestions.length > 0 ? [`Perhaps: ${suggestions.join('; ')}`] : [];
    this.terminal.print([message, ...hint].join('\n'));
  }

  /** The same happenings come in answers and in events, in any order. */
  #show(screen: Screen): void {
    const news = screen.happenings.filter(({ number }) => number > this.#shown);
    const last = screen.happenings.at(-1)?.number ?? 0;
    if (last < this.#shown) return; // older than what was shown
    const [first] = news;
    // Numbers are also left out where only others heard something: nothing is lost as long as the screen reaches back to what was shown.
    if (first && first.number > this.#shown + 1 && news.length >= HAPPENINGS_KEPT)
      this.terminal.print('(Some things happened that nobody can tell you.)');
    this.#screen = screen;
    this.#shown = last;
    const isElsewhere = screen.location.id !== this.#shownRoom;
    // The description of the room takes the place of “You are here”.
    const arrival =
      isElsewhere &&
      news.findLast(
        ({ kind, who, text }) => kind === 'CAME' && who?.id === screen.id && text.includes('You are here: '),
      );
    for (const each of news) if (each !== arrival) this.terminal.print(each.text);
    if (isElsewhere) this.#showRoom();
  }

  #showRoom(): void {
    const { id, name, location, gold } = this.#screen;
    const others = location.players.filter((player) => player.id !== id).map((player) => player.name);
    const things = location.items.filter(({ insideId }) => insideId === null).map(({ label }) => label);
    const ways = location.exits.map(({ direction, needs }) =>
      needs === null ? direction : `${direction} (needs ${needs})`,
    );
    const isFirst = this.#shownRoom === null;
    this.#shownRoom = location.id;
    this.terminal.print(
      [
        ...(isFirst
          ? [`You are ${name}, with ${gold} pieces of gold. Type help for the commands, quit to leave.`]
          : []),
        '',
        location.name,
        ...(location.description === '' ? [] : [location.description]),
        `Exits: ${ways.join(', ') || 'none'}`,
        ...(things.length > 0 ? [`Here: ${things.join(', ')}`] : []),
        ...(others.length > 0 ? [`With you: ${others.join(', ')}`] : []),
      ].join('\n'),
    );
    void this.#readGoods();
  }

  /** For completion. */
  async #readGoods(): Promise<void> {
    const { id, location } = this.#screen;
    this.#goods = [];
    const goods: SeenItem[] = [];
    for (const { id: shop } of location.players.filter(({ role }) => role === 'SHOPKEEPER'))
      try {
        const answer = await this.connection.ask<{ readonly goods: readonly SeenItem[] | null }>(GOODS, { id, shop });
        goods.push(...(answer.goods ?? []));
      } catch {
        // without completion of what is for sale
      }
    if (location.id === this.#screen.location.id) this.#goods = goods;
  }

  #showHelp(): void {
    const lines = this.commands.map(({ example, description }) => `  ${example.padEnd(36)} ${description}`);
    this.terminal.print(
      [...lines, '  The direction of an exit is enough. Tab completes. quit leaves the game.'].join('\n'),
    );
  }
}
