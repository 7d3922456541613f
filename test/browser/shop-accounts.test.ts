/** The dashboard's accounts: opened, transferred between, and transfers taken back. */
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { addAccount } from './accounts.js';
import { describeInBrowser } from './chromium.js';
import { eventually, useDashboard } from './dashboard.js';

describeInBrowser('the accounts of the shop', () => {
  const dashboard = useDashboard();

  it('transfers between accounts, and shows balances and states', async () => {
    const page = await dashboard.openSignedIn('/commerce/accounts');
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByRole('radio', { name: /^Nobody’s/ }).check();
    await page.getByLabel('Name', { exact: true }).fill('Petty cash');
    await page.getByLabel('Opening balance in EUR').fill('10.5');
    await page.getByRole('button', { name: 'Open the account' }).click();
    const petty = page.getByRole('table', { name: 'Accounts' }).getByRole('row', { name: /Petty cash/ });
    await petty.getByText('€10.50').waitFor();
    const choose = (label: string, name: RegExp) => chooseOption(page.getByLabel(label, { exact: true }), name);
    await choose('From', /Petty cash/);
    await choose('To', /The store/);
    await page.getByLabel('Amount in EUR').fill('11');
    await page.getByRole('button', { name: 'Transfer…', exact: true }).click();
    await page.getByText(/^€11.00 goes from Petty cash .* to The store/).waitFor();
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
    await transfers.getByRole('button', { name: /^Take back the transfer/ }).click();
    await page.getByRole('heading', { name: 'Take €2.50 back from The store?' }).waitFor();
    await page.getByRole('button', { name: 'Take €2.50 back' }).click();
    await petty.getByText('€10.50').waitFor();
    await transfers.getByText('takes a transfer back').waitFor();
    await eventually(() => transfers.getByRole('button', { name: /^Take back/ }).count()).toBe(0);
  });

  it('opens an account for somebody else, who is found by the keyboard and then has it', async () => {
    await addAccount(dashboard.product, 'Nora', ['EDITOR']);
    const norbert = await addAccount(dashboard.product, 'Norbert', ['EDITOR']);
    const page = await dashboard.openSignedIn('/commerce/accounts');
    await page.getByRole('button', { name: 'Open an account' }).click();
    await page.getByRole('radio', { name: /^Somebody else’s/ }).check();
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByRole('alert').getByText('Choose whose it is').waitFor();
    const finder = page.getByRole('combobox', { name: 'Find a person by e-mail address' });
    await page.getByRole('option', { name: /Administrator/ }).waitFor();
    await finder.fill('zzz');
    await finder.press('Enter'); // before the answer: whom the list had a moment ago is not taken
    await page.getByText('Nobody has an address that begins so.').waitFor();
    await finder.fill('NOR');
    await eventually(() => page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Choose another' }).waitFor();
    await page.getByLabel('Opening balance in EUR').fill('12');
    await page.getByRole('button', { name: 'Open the account' }).click();
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
    await his.getByText('It begins with nothing in it.').waitFor();
    expect(await his.getByRole('radio').count()).toBe(0);
  });
});

async function chooseOption(select: Locator, name: RegExp): Promise<void> {
  const value = await select.locator('option').filter({ hasText: name }).getAttribute('value');
  await select.selectOption(value);
}
