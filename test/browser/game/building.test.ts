/** Editors build the world in the browser, and players walk through it. */
import { beforeAll, expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';
import { addPlayer, buildWorld, log, openGame, saveRooms, type } from '../support/game.js';
import { holdOperation } from '../support/held-operation.js';

describeInBrowser('the builder of the world', () => {
  const dashboard = useDashboard();
  beforeAll(() => buildWorld(dashboard.product));

  it('draws an exit to a new room, through which a player walks', async () => {
    const editor = await dashboard.openSignedIn('/game/world?room=harbor');
    await editor.getByLabel('Description').waitFor();
    expect(await editor.getByLabel('New characters begin here').isDisabled()).toBe(true); // the start can only move
    const harbor = editor.locator('[data-room]').filter({ hasText: 'Harbor' });
    const box = await harbor.locator('circle').boundingBox();
    if (!box) throw new Error('The handle of the room is not drawn');
    const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await editor.mouse.move(from.x, from.y);
    await editor.mouse.down();
    await editor.mouse.move(from.x + 120, from.y + 5, { steps: 5 });
    await editor.mouse.move(from.x + 180, from.y - 20, { steps: 5 });
    await editor.mouse.up();
    const dialog = editor.getByRole('dialog', { name: 'A new room' });
    await dialog.getByLabel('Name').fill('The lighthouse');
    await dialog.getByLabel('Description').fill('A light turns above you.');
    expect(await dialog.getByLabel('Direction to the new room').inputValue()).toBe('east');
    await dialog.getByRole('button', { name: 'Create room' }).click();
    await editor.getByRole('heading', { name: 'The lighthouse' }).waitFor();
    await editor.getByText('4 rooms').waitFor();

    const player = await openGame(dashboard, await addPlayer(dashboard.product, 'Ann'));
    await type(player, 'go east');
    await log(player).getByText('A light turns above you.').waitFor();
    await editor.getByRole('list', { name: 'People in the room' }).getByText('Ann').waitFor();
    await type(player, 'go west');
    await log(player).getByText('You go west.').waitFor();
    expect(await faultsOf(editor)).toEqual([]);
  });

  it('edits the text of a room, and draws an exit to another one while somebody else draws one as well', async () => {
    const editor = await dashboard.openSignedIn('/game/world?room=cellar');
    const room = (name: string) => editor.locator('[data-room]').filter({ hasText: name });
    await editor.getByLabel('Description').fill('It is dark, and it smells of wine.');
    await editor.getByRole('button', { name: 'Save room' }).click();
    await editor.locator('button[type="submit"]:disabled', { hasText: 'Save room' }).waitFor();
    const handle = await room('Cellar').locator('circle').boundingBox();
    const target = await room('Harbor').boundingBox();
    if (!handle || !target) throw new Error('The rooms are not drawn');
    await editor.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await editor.mouse.down();
    await editor.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 8 });
    await editor.mouse.up();
    const dialog = editor.getByRole('dialog', { name: 'A new exit' });
    await dialog.getByLabel('Direction to The harbor').fill('tunnel');
    await dialog.getByLabel('Direction back').fill('');
    const letGo = await holdOperation(editor, 'tunnel');
    const isSaving = editor.waitForRequest((request) => request.postData()?.includes('tunnel') === true);
    await dialog.getByRole('button', { name: 'Add exit' }).click();
    await isSaving;
    await saveRooms(dashboard.product, {
      key: 'cellar',
      name: 'The cellar',
      description: 'It is dark, and it smells of wine.',
      exits: [
        { direction: 'up', to: 'square' },
        { direction: 'crack', to: 'harbor' },
      ],
    });
    letGo();
    for (const direction of [/^tunnel/, /^crack/]) await editor.getByRole('button', { name: direction }).waitFor();
  });

  it('imports a world with a progress and a list of what was rejected, and exports it', async () => {
    const editor = await dashboard.openSignedIn('/game/files');
    const rows = [
      { location: 'mill', name: 'The mill', description: 'It turns.', exits: [{ direction: 'out', to: 'pond' }] },
      { location: 'pond', name: 'The pond', exits: [{ direction: 'in', to: 'mill' }] },
      { item: 'sack', name: 'sack of flour', weight: 5000, place: 'mill' },
      { item: 'ghost', name: 'ghost', place: 'nowhere' },
    ];
    const text = `${rows.map((row) => JSON.stringify(row)).join('\n')}\nno JSON at all\n`;
    await editor.getByLabel('Prefix').fill('dale');
    await editor
      .getByLabel('File, plain or gzip')
      .setInputFiles({ name: 'dale.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) });
    await editor.getByRole('button', { name: 'Import', exact: true }).click();
    await editor.getByText('3 imported, 0 skipped, 2 rejected.').waitFor();
    await editor.getByRole('button', { name: '2 rejected rows' }).click();
    await editor.getByRole('dialog').getByText('no JSON at all').waitFor();
    await editor.keyboard.press('Escape');
    await editor.getByRole('link', { name: 'Look at the world' }).click();
    await editor.locator('[data-room]').filter({ hasText: 'Mill' }).waitFor();

    await editor.goto(`${dashboard.url}/game/files`);
    await editor.getByRole('button', { name: 'Export', exact: true }).click();
    const download = editor.waitForEvent('download');
    await editor.getByRole('link', { name: /^Download/ }).click();
    expect((await download).suggestedFilename()).toMatch(/\.jsonl/);
    expect(await faultsOf(editor)).toEqual([]);
  });

  it('creates items and shopkeepers, moves them, and mutes a player', async () => {
    const player = await openGame(dashboard, await addPlayer(dashboard.product, 'Ben'));
    const editor = await dashboard.openSignedIn('/game/items');
    await editor.getByRole('button', { name: 'New item' }).click();
    const item = editor.getByRole('dialog', { name: 'A new item' });
    await item.getByLabel('Name').fill('spyglass');
    await item.getByLabel('Place').fill('harbor');
    await item.getByRole('button', { name: 'Create item' }).click();
    await player.getByRole('list', { name: 'Things in the room' }).getByText('spyglass').waitFor();
    await editor.getByRole('button', { name: 'Move spyglass' }).click();
    await editor.getByLabel('To', { exact: true }).selectOption({ label: 'The cellar (cellar)' });
    await editor.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await editor
      .getByRole('row', { name: /spyglass/ })
      .getByText('The cellar')
      .waitFor();
    expect(await faultsOf(editor)).toEqual([]);

    await editor.goto(`${dashboard.url}/game/folk`);
    await editor.getByRole('button', { name: 'Somebody new' }).click();
    const somebody = editor.getByRole('dialog', { name: 'Somebody new' });
    await somebody.getByLabel('Name').fill('Marlow');
    await somebody.getByRole('radio', { name: /^Shopkeeper/ }).check();
    await somebody.getByLabel('Room').fill('harbor');
    await somebody.getByRole('button', { name: 'Create' }).click();
    await editor.getByRole('row', { name: /Marlow.*Shopkeeper.*The harbor/i }).waitFor();
    const people = player.getByRole('list', { name: 'People', exact: true });
    await people.getByRole('button', { name: /Marlow shopkeeper/ }).waitFor();
    await editor.getByRole('button', { name: 'Move Marlow' }).click();
    await editor.getByLabel('To', { exact: true }).selectOption({ label: 'The cellar (cellar)' });
    await editor.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await editor.getByRole('row', { name: /Marlow.*The cellar/ }).waitFor();
    await eventually(() => people.getByText('Marlow').count()).toBe(0);

    await editor.getByRole('button', { name: 'Mute Ben' }).click();
    await editor.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
    await editor.getByRole('button', { name: 'Unmute Ben' }).waitFor();
    await type(player, 'say hello');
    await player
      .getByText(/You may speak again in/)
      .first()
      .waitFor();
    await editor.getByRole('button', { name: 'Unmute Ben' }).click();
    await editor.getByRole('button', { name: 'Mute Ben' }).waitFor();
  });
});
