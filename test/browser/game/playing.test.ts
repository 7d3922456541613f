/** Two people in one room, typed commands with completion and history, and clicks that do the same. */
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import {
  addCharacter,
  addPlayer,
  buildWorld,
  commandField,
  log,
  openGame,
  shownNumbers,
  type,
} from '../support/game.js';

describeInBrowser('the game', () => {
  const dashboard = useDashboard();
  beforeAll(() => buildWorld(dashboard.product));

  it('tells visitors what it is, and lets them in', async () => {
    const page = await dashboard.open('/game');
    await page.getByText('A world of words, shared by everybody in it').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('begins with a first character, and deletes one after asking', async () => {
    const page = await dashboard.openSignedIn('/game');
    const name = page.getByLabel('Name', { exact: true });
    for (const [typed, wrong] of [
      ['Greta', 'There is a character named Greta already.'],
      ['12', 'The name must have 2 to 30 letters'],
    ] as const) {
      await name.fill(typed);
      await page.getByRole('button', { name: 'Enter the world' }).click();
      await page.getByRole('alert').getByText(wrong).waitFor();
      expect(await name.getAttribute('aria-invalid')).toBe('true');
    }
    await name.fill('Captain Ahab');
    await page.getByRole('radio', { name: /^Cleric/ }).check();
    await page.getByRole('button', { name: 'Enter the world' }).click();
    await log(page).getByText('Boats knock against the quay.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.goto(`${dashboard.url}/game/characters`);
    await page.getByRole('button', { name: 'Delete Captain Ahab' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Captain Ahab' }).click();
    await page.getByText('Your first character').waitFor();
  });

  it('switches between two characters of one person', async () => {
    const dora = await addPlayer(dashboard.product, 'Dora');
    await addCharacter(dora, 'Edgar', 'MAGE');
    const page = await openGame(dashboard, dora);
    const menu = (name: string) => page.getByRole('button', { name: `${name} Choose a character` });
    await menu('Dora Rogue').click();
    await page.getByRole('menuitem', { name: /^Play Edgar/ }).click();
    await menu('Edgar Mage').waitFor();
    await type(page, 'say It is me');
    await log(page).getByText('You say: It is me').waitFor();
    await menu('Edgar Mage').click();
    await page.getByRole('menuitem', { name: /^Play Dora/ }).click();
    await menu('Dora Rogue').waitFor();
    await log(page).getByText('Edgar says: It is me').waitFor();
    expect(await log(page).getByText('You say: It is me').count()).toBe(0);
  });

  it('shows a player what another one does, within a second and without a reload', async () => {
    const [ann, ben] = [await addPlayer(dashboard.product, 'Ann'), await addPlayer(dashboard.product, 'Ben')];
    const [one, other] = [await openGame(dashboard, ann), await openGame(dashboard, ben)];
    const things = other.getByRole('list', { name: 'Things in the room' });
    await things.getByText('brass lamp').waitFor();
    await type(one, 'take brass lamp');
    await log(one).getByText('You take the brass lamp.').waitFor();
    await log(other).getByText('takes the brass lamp.').waitFor({ timeout: 1_000 });
    await eventually(() => things.getByText('brass lamp').count()).toBe(0);
    await type(other, 'take brass lamp');
    await log(other).getByText(/Ann/).last().waitFor();
    await type(other, 'say Give it to me');
    await log(one).getByText('Give it to me').waitFor();

    await one.getByRole('list', { name: 'Things you carry' }).getByText('brass lamp').click();
    await one.getByRole('menuitem', { name: 'Give to Ben' }).click();
    await other.getByRole('list', { name: 'Things you carry' }).getByText('brass lamp').waitFor();
    await other.getByRole('list', { name: 'Things you carry' }).getByText('brass lamp').click();
    await other.getByRole('menuitem', { name: 'Put into canvas bag' }).click();
    await other.getByRole('list', { name: 'In the canvas bag' }).getByText('brass lamp').waitFor();
    await one.getByRole('list', { name: 'In the canvas bag' }).getByText('brass lamp').click();
    await one.getByRole('menuitem', { name: 'Take out' }).click();
    await one.getByRole('list', { name: 'Things you carry' }).getByText('brass lamp').waitFor();

    for (const page of [one, other]) {
      const numbers = await shownNumbers(page);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      expect(new Set(numbers).size).toBe(numbers.length);
    }
  });

  it('whispers to one, trades with a shopkeeper, and draws the map', async () => {
    const [cleo, dan] = [await addPlayer(dashboard.product, 'Cleo'), await addPlayer(dashboard.product, 'Dan')];
    const [one, other] = [await openGame(dashboard, cleo), await openGame(dashboard, dan)];
    await one.getByRole('list', { name: 'People' }).getByText('Dan').click();
    await one.getByRole('menuitem', { name: 'Whisper' }).click();
    await one.getByRole('combobox', { name: 'What to say' }).fill('Meet me at the square');
    await one.keyboard.press('Enter');
    await log(other).getByText('Meet me at the square').waitFor();
    await one.keyboard.press('Escape');

    await one.getByRole('list', { name: 'Exits' }).getByRole('button', { name: 'north' }).click();
    await log(one).getByText('Stalls surround a dry well.').waitFor();
    await one.getByRole('list', { name: 'People' }).getByText('Greta').click();
    await one.getByRole('menuitem', { name: 'Trade' }).click();
    await one.getByRole('button', { name: 'Buy sea boots for 25 gold' }).click();
    await one.getByText('You have 75 gold.').waitFor();
    await one.getByRole('button', { name: 'Sell sea boots for 12 gold' }).waitFor();
    await one.keyboard.press('Escape');
    await one.getByRole('list', { name: 'Things you carry' }).getByText('sea boots').click();
    await one.getByRole('menuitem', { name: 'Wear on the feet' }).click();
    await one.getByText('on the feet').waitFor();

    const map = one.getByRole('group', { name: 'Map of the rooms you know' });
    await map.getByRole('button', { name: 'The market square, where you are' }).waitFor();
    await map.getByRole('button', { name: 'Go to The harbor' }).click();
    await map.getByRole('button', { name: 'The harbor, where you are' }).waitFor();
    await log(other).getByText('comes in').last().waitFor();
  });

  it('completes commands, and goes through those that were typed before, also after a reload', async () => {
    const page = await openGame(dashboard, await addPlayer(dashboard.product, 'Eva'));
    const field = commandField(page);
    await field.pressSequentially('loo');
    await page.getByRole('option', { name: 'look', exact: true }).waitFor();
    await field.press('Tab');
    expect(await field.inputValue()).toMatch(/^look/);
    await field.fill('');
    await field.pressSequentially('go n');
    await page.getByRole('option', { name: 'north' }).waitFor();
    await field.press('Tab');
    expect(await field.inputValue()).toBe('go north');
    await field.press('Enter');
    await log(page).getByText('Stalls surround a dry well.').waitFor();
    await type(page, 'dance');
    await log(page).getByRole('list', { name: 'Perhaps you mean' }).waitFor();

    const before = await shownNumbers(page);
    await page.reload();
    await page.getByRole('list', { name: 'Exits' }).waitFor();
    await field.press('ArrowUp');
    expect(await field.inputValue()).toBe('dance');
    await field.press('ArrowUp');
    expect(await field.inputValue()).toBe('go north');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    expect(await field.inputValue()).toBe('');
    expect(await shownNumbers(page)).toEqual(before);
    await log(page).getByText('› dance').waitFor();
  });
});
