/** The dashboard's money accounts: opening them, transfers, and reversals. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount } from '../support/accounts.js';
import { describeInBrowser } from '../support/chromium.js';
import { eventually, useDashboard } from '../support/dashboard.js';

describeInBrowser('the shop’s accounts', () => {
  const dashboard = useDashboard();

  it('transfers between accounts, and shows balances and states', async () => {
    const page = await dashboard.openSignedIn('/commerce/accounts');
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByRole('radio', { name: /^No owner/ }).check();
    await page.getByLabel('Name', { exact: true }).fill('Petty cash');
    await page.getByLabel('Opening balance in EUR').fill('10.5');
    await page.getByRole('button', { name: 'Open account' }).click();
    const petty = page.getByRole('table', { name: 'Accounts' }).getByRole('row', { name: /Petty cash/ });
    await petty.getByText('€10.50').waitFor();
    const choose = (label: string, name: RegExp) => chooseOption(page.getByLabel(label, { exact: true }), name);
    await choose('From', /Petty cash/);
    await choose('To', /The store/);
    await page.getByLabel('Amount in EUR').fill('11');
    await page.getByRole('button', { name: 'Transfer…', exact: true }).click();
    await page.getByText(/^€11.00 moves from Petty cash .* to The store/).waitFor();
    await page.getByRole('button', { name: 'Transfer €11.00' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Amount in EUR').fill('2,50');
    await page.getByRole('button', { name: 'Transfer…', exact: true }).click();
    await page.getByRole('button', { name: 'Transfer €2.50' }).click();
    await petty.getByText('€8.00').waitFor();
    const transfers = page.getByRole('table', { name: 'Transfers' });
    await transfers.getByRole('row', { name: 'Petty cash → The store' }).getByText('Done').waitFor();
    await petty.getByRole('button', { name: /^Transfers of/ }).click();
    await page.getByRole('heading', { name: 'Transfers of Petty cash' }).waitFor();
    await eventually(() => transfers.locator('tbody tr').count()).toBe(1);
    await transfers.getByRole('button', { name: /^Reverse the transfer/ }).click();
    await page.getByRole('heading', { name: 'Reverse €2.50 from The store?' }).waitFor();
    await page.getByRole('button', { name: 'Reverse €2.50' }).click();
    await petty.getByText('€10.50').waitFor();
    await transfers.getByText('reversal of a transfer').waitFor();
    await eventually(() => transfers.getByRole('button', { name: /^Reverse/ }).count()).toBe(0);
  });

  it('opens an account for another user, found by keyboard', async () => {
    await addAccount(dashboard.product, 'Nora', ['EDITOR']);
    const norbert = await addAccount(dashboard.product, 'Norbert', ['EDITOR']);
    const page = await dashboard.openSignedIn('/commerce/accounts');
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByRole('radio', { name: /^Someone else’s/ }).check();
    await page.getByRole('button', { name: 'Open account' }).click();
    await page.getByRole('alert').getByText('Choose the owner').waitFor();
    const finder = page.getByRole('combobox', { name: 'Find a person by email address' });
    await page.getByRole('option', { name: /Administrator/ }).waitFor();
    await finder.fill('zzz');
    await finder.press('Enter'); // before the results arrive: must not choose from the previous ones
    await page.getByText('No address starts with this.').waitFor();
    await finder.fill('NOR');
    await eventually(() => page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Choose another' }).waitFor();
    await page.getByLabel('Opening balance in EUR').fill('12');
    await page.getByRole('button', { name: 'Open account' }).click();
    const accounts = page.getByRole('table', { name: 'Accounts' });
    await accounts
      .getByRole('row', { name: /Norbert/ })
      .getByText('€12.00')
      .waitFor();

    const his = await dashboard.openSignedIn('/commerce/accounts', norbert);
    await his
      .getByRole('row', { name: /Norbert/ })
      .getByText('€12.00')
      .waitFor();
    await his.getByRole('button', { name: 'Open an account' }).click();
    await his.getByText('The account starts empty.').waitFor();
    expect(await his.getByRole('radio').count()).toBe(0);
  });
});

async function chooseOption(select: Locator, name: RegExp): Promise<void> {
  const value = await select.locator('option').filter({ hasText: name }).getAttribute('value');
  await select.selectOption(value);
}
