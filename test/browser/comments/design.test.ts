/** How a discussion is stored, beside the editor of what it is about: its design, the move into another one, the plan of its first page. */
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { createCommented, post } from '../support/comments.js';
import { editorOf } from '../support/content.js';
import { eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('the storage of a discussion', () => {
  const dashboard = useDashboard();

  it('is shown with its query plan, and changed under way', async () => {
    const nodeId = await createCommented(dashboard.product, 'The atlas of light');
    const page = await dashboard.openSignedIn(editorOf({ id: nodeId }));
    const card = page.getByRole('region', { name: 'Comments', exact: true });
    await card.getByText('0 comments').waitFor();
    await card.getByRole('button', { name: 'Storage of the comments' }).click();
    const dialog = page.getByRole('dialog', { name: 'Storage of the comments' });
    await dialog.getByText('Nobody has commented yet').waitFor();
    await page.keyboard.press('Escape');

    for (let n = 0; n < 30; n += 1) await post(dashboard.db, nodeId, { _id: 'ann' }, `Comment ${n}`);
    await page.reload();
    await card.getByText('30 comments').waitFor();
    await card.getByRole('button', { name: 'Storage of the comments' }).click();
    await dialog.getByText('IXSCAN').waitFor();
    await dialog.getByRole('row', { name: /^A document each present recommended .*31 documents/ }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await dialog.getByRole('button', { name: 'Move here: Pages of 100' }).click();
    await dialog.getByText('The comments are stored as pages now').waitFor();
    await dialog.getByRole('row', { name: /^Pages of 100 present/ }).waitFor();
    await dialog.getByRole('radio', { name: 'Newest first' }).click();
    await dialog.getByText('Documents examined').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card.getByText('stored as pages').waitFor();
  });

  it('says why a design is not possible, and shows a move that somebody else has started', async () => {
    const nodeId = await createCommented(dashboard.product, 'Long texts');
    const long = 'words '.repeat(1600);
    for (let n = 0; n < 120; n += 1) await post(dashboard.db, nodeId, { _id: 'ann' }, long);
    const page = await dashboard.openSignedIn(editorOf({ id: nodeId }));
    const card = page.getByRole('region', { name: 'Comments' });
    await card.getByRole('button', { name: 'Storage of the comments' }).click();
    const dialog = page.getByRole('dialog', { name: 'Storage of the comments' });
    await dialog.getByRole('row', { name: /^One document .*EMBEDDED holds at most/ }).waitFor();
    await dialog.getByRole('row', { name: /^A document each present/ }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Move here: One document' }).count()).toBe(0);
    const move = 'mutation ($id: ID!) { changeCommentDesign(nodeId: $id, design: HYBRID) { __typename } }';
    const { errors } = await dashboard.product.request(move, { id: nodeId });
    expect(errors).toBeUndefined();
    await dialog.getByRole('row', { name: /^Pages of 100 present/ }).waitFor();
    await eventually(() => dialog.getByRole('progressbar').count()).toBe(0);
  });
});
