/** An empty network offers administrators its sample data, then the people in it. */
import { expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';

describeInBrowser('an empty network', () => {
  const dashboard = useDashboard();

  it('offers sample data to administrators only, and leads to the people in it', async () => {
    const ann = await addAccount(dashboard.product, 'Ann', ['MEMBER']);
    const member = await dashboard.openSignedIn('/social', ann);
    await member.getByRole('heading', { name: 'Join the network' }).waitFor();
    expect(await member.getByRole('button', { name: 'Fill with sample data' }).count()).toBe(0);

    const page = await dashboard.openSignedIn('/social');
    await page.getByRole('button', { name: 'Fill with sample data' }).click();
    await page.getByText('The sample data was added').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Join them' }).click();
    await page.getByRole('button', { name: 'Join the network' }).click();
    await page.getByRole('link', { name: 'Find people' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('oona');
    await page.getByRole('link', { name: 'Oona Laine' }).click();
    await page.getByText('Two flashes, every ten seconds').waitFor();
    await page.getByText('Lindesnes lighthouse').first().waitFor();
  });
});
