/** A small world and people who play in it, for tests of the game's pages, through the API. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Product } from '../../../harness/product.js';
import type { CharacterClass } from '../../../src/models/game/world/player.js';
import type { Dashboard } from './dashboard.js';
import { ask } from './narrow-pages.js';
import { addMember, type Member } from './network.js';

const exit = (direction: string, to: string, more: object = {}) => ({
  direction,
  to,
  aliases: [direction.charAt(0)],
  ...more,
});

async function save(product: Product, field: string, type: string, list: readonly object[]): Promise<void> {
  const data = await ask<Record<string, { saved: number }>>(
    product,
    `mutation ($list: [${type}!]!) { ${field}(${field === 'saveFolk' ? 'folk' : field.slice(4).toLowerCase()}: $list) { saved } }`,
    { list },
  );
  expect(data[field]?.saved).toBe(list.length);
}

export const saveRooms = (product: Product, ...rooms: readonly object[]): Promise<void> =>
  save(product, 'saveLocations', 'LocationInput', rooms);

/** A harbor with things, a square with a shopkeeper, and a cellar behind a locked door. */
export async function buildWorld(product: Product): Promise<void> {
  await saveRooms(
    product,
    {
      key: 'harbor',
      name: 'The harbor',
      description: 'Boats knock against the quay.',
      isStart: true,
      exits: [exit('north', 'square')],
    },
    {
      key: 'square',
      name: 'The market square',
      description: 'Stalls surround a dry well.',
      exits: [exit('south', 'harbor'), exit('down', 'cellar', { needs: 'lamp' })],
    },
    { key: 'cellar', name: 'The cellar', description: 'It is dark.', exits: [exit('up', 'square')] },
  );
  await save(product, 'saveFolk', 'FolkInput', [
    { name: 'Greta', class: 'CLERIC', role: 'SHOPKEEPER', gold: 500, location: 'square' },
  ]);
  await save(product, 'saveItems', 'ItemInput', [
    { key: 'lamp', name: 'brass lamp', weight: 900, price: 30, place: 'harbor' },
    { key: 'bag', name: 'canvas bag', kind: 'CONTAINER', weight: 800, place: 'harbor' },
    { key: 'boots', name: 'sea boots', kind: 'ARMOR', slots: ['FEET'], weight: 1500, price: 25, place: 'Greta' },
  ]);
}

/** A person with a character of the same name. */
export async function addPlayer(product: Product, name: string): Promise<Member> {
  const member = await addMember(product, name, false);
  await addCharacter(member, name, 'ROGUE');
  return member;
}

export async function addCharacter(member: Member, name: string, kind: CharacterClass): Promise<void> {
  const { createCharacter } = await member.ask<{ createCharacter: { __typename: string } }>(
    'mutation ($input: CharacterInput!) { createCharacter(input: $input) { __typename } }',
    { input: { name, class: kind } },
  );
  expect(createCharacter.__typename).toBe('Character');
}

/** Opens the game, where the character's name is in the head. */
export async function openGame(dashboard: Dashboard, player: Member): Promise<Page> {
  const page = await dashboard.openSignedIn('/game', player);
  await page.getByRole('button', { name: `${player.name} Rogue Choose a character` }).waitFor();
  return page;
}

export const commandField = (page: Page) => page.getByRole('combobox', { name: 'Command' });

export async function type(page: Page, command: string): Promise<void> {
  await commandField(page).fill(command);
  await commandField(page).press('Enter');
}

/** The terminal. */
export const log = (page: Page) => page.getByRole('log');

/** The numbers of the happenings that are shown, in their order on the page. */
export const shownNumbers = (page: Page): Promise<number[]> =>
  page.evaluate(
    "[...document.querySelectorAll('[data-number]')].map((line) => Number(line.dataset.number))",
  ) as Promise<number[]>;
