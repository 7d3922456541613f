/** An editor fills the empty world with sample data, and sees it on the page that is open. */
import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';

describeInBrowser('an empty world', () => {
  const dashboard = useDashboard();

  it('shows its rooms as soon as it was filled with sample data', async () => {
    const editor = await dashboard.openSignedIn('/game/world');
    await editor.getByText('The world has no rooms yet').waitFor();
    await editor.getByRole('button', { name: 'Fill with sample data' }).click();
    await editor.getByText('The sample data was added.').waitFor();
    await editor.getByText('17 rooms', { exact: true }).waitFor({ timeout: 10_000 });
    expect(await editor.locator('[data-room]').count()).toBe(17);
  });
});
