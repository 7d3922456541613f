/** The server of two players is gone for a while: both go on, and nothing is lost or doubled. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addPlayer, buildWorld, log, openGame, shownNumbers, type } from '../support/game.js';

describeInBrowser('a game whose server is gone for a while', () => {
  const dashboard = useDashboard();
  beforeAll(() => buildWorld(dashboard.product));
  const mark = (page: Page) => page.getByRole('banner').getByRole('status');

  it('sends once what was typed while the server was dead, and shows each happening once', async () => {
    const [ann, ben] = [await addPlayer(dashboard.product, 'Ann'), await addPlayer(dashboard.product, 'Ben')];
    const [one, other] = [await openGame(dashboard, ann), await openGame(dashboard, ben)];
    await type(one, 'say Before the storm');
    await log(other).getByText('Before the storm').waitFor();
    await log(one).locator('[data-waiting=false]').waitFor(); // others may hear it before its answer comes

    await dashboard.kill();
    for (const page of [one, other]) await eventually(() => mark(page).textContent()).toBe('Offline');
    await one.getByText('The server cannot be reached.').waitFor();
    await type(one, 'say During the storm');
    await type(one, 'take brass lamp');
    await type(other, 'say Are you still there?');
    await one.getByText('2 commands will be sent when the connection is back.').waitFor();

    await dashboard.restart();
    for (const page of [one, other]) await eventually(() => mark(page).textContent()).toBe('Live');
    await log(one).getByText('You take the brass lamp.').waitFor();
    await log(other).getByText('takes the brass lamp.').waitFor();
    await log(one).getByText('Are you still there?').waitFor();
    await type(other, 'say After the storm');
    await log(one).getByText('After the storm').waitFor();

    const { character } = await ann.ask<{ character: { happenings: { number: number; text: string }[] } }>(
      'query ($id: ID!) { character(id: $id) { happenings { number text } } }',
      { id: Buffer.from('Character:ann').toString('base64url') },
    );
    const texts = character.happenings.map(({ text }) => text);
    expect(texts.filter((text) => text.includes('During the storm'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('Are you still there?'))).toHaveLength(1);
    for (const page of [one, other]) {
      const numbers = await shownNumbers(page);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.at(-1)).toBe((numbers.at(0) ?? 0) + numbers.length - 1); // none is missing
    }
  });

  it('says only once beside the map of the world that the server is gone', async () => {
    const editor = await dashboard.openSignedIn('/game/world');
    await editor.getByText('3 rooms').waitFor();
    await dashboard.stop();
    await editor.getByText('The server cannot be reached.').waitFor();
    await editor.waitForEvent('requestfailed'); // the rooms were asked for
    await editor.waitForEvent('requestfailed');
    expect(await editor.getByText('The server cannot be reached.').count()).toBe(1);
    expect(await editor.getByText('3 rooms').count()).toBe(1);
  });

  it('keeps what waits over a reload, and gives it up on request', async () => {
    const page = await openGame(dashboard, await addPlayer(dashboard.product, 'Cleo'));
    await dashboard.stop();
    await eventually(() => mark(page).textContent()).toBe('Offline');
    await type(page, 'say Kept over a reload');
    await type(page, 'say Never said');
    await page.getByText('2 commands will be sent').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('1 command will be sent').waitFor();
    await dashboard.restart();
    await page.reload();
    await log(page).getByText('You say: Kept over a reload').waitFor();
    expect(await log(page).getByText('You say: Never said').count()).toBe(0);
  });
});
