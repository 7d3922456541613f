/** What visitors see of the network without signing in: public posts. */
import { expect, it } from 'vitest';
import { faultsOf } from '../support/axe.js';
import { describeInBrowser } from '../support/chromium.js';
import { useDashboard } from '../support/dashboard.js';
import { addMember } from '../support/network.js';

describeInBrowser('a post whose address a visitor opens', () => {
  const dashboard = useDashboard();
  const addressOf = (id: string) => `/social/post/${encodeURIComponent(id)}`;

  it('is shown, live, if it is public; whoever signs in comes back to it', async () => {
    const vera = await addMember(dashboard.product, 'Vera');
    const poll = { question: 'Where to?', options: ['North', 'South'] };
    const { id } = await vera.post({ type: 'POLL', text: 'We sail at six', audience: 'PUBLIC', poll });
    const page = await dashboard.open(addressOf(id));
    const post = page.getByRole('article', { name: 'Post by Vera' });
    await post.getByText('We sail at six').waitFor();
    expect(await post.getByRole('button', { name: 'North' }).isDisabled()).toBe(true);
    await post.getByText('Only members can comment').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Actions on the post by Vera' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy link']);
    await page.keyboard.press('Escape');
    await vera.ask('mutation ($id: ID!) { editPost(id: $id, text: "We sail at seven") { __typename } }', { id });
    await post.getByText('We sail at seven').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(vera.email);
    await page.getByLabel('Password').fill(vera.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await post.getByText('We sail at seven').waitFor();
    await page.getByLabel('Your comment').waitFor();
  });

  it('is not shown otherwise, and offers to sign in', async () => {
    const [walt, xena] = [await addMember(dashboard.product, 'Walt'), await addMember(dashboard.product, 'Xena')];
    await walt.circle('Crew', [xena]);
    const { id } = await walt.post({ type: 'STATUS', text: 'For the crew', audience: 'MY_CIRCLES' });
    for (const hidden of [id, 'none']) {
      const page = await dashboard.open(addressOf(hidden));
      await page.getByText('It was deleted, or it is not public').waitFor();
      expect(await page.getByText('For the crew').count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
    }
    const page = await dashboard.open(addressOf(id));
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(xena.email);
    await page.getByLabel('Password').fill(xena.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('For the crew').waitFor();
  });
});

describeInBrowser('a public post where anyone may sign up', () => {
  const dashboard = useDashboard(async () => ({ SIGN_UP: 'open' }));

  it('leads a visitor through sign-up and joining the network to commenting and voting', async () => {
    const vera = await addMember(dashboard.product, 'Vera');
    const poll = { question: 'Where to?', options: ['North', 'South'] };
    const { id } = await vera.post({ type: 'POLL', text: 'We sail at six', audience: 'PUBLIC', poll });
    const address = `/social/post/${encodeURIComponent(id)}`;
    const page = await dashboard.open(address);
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill('Yann');
    await page.getByLabel('Email').fill('yann@example.org');
    await page.getByLabel('Password', { exact: true }).fill('a sentence that is easy to keep');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('We sail at six').waitFor();
    expect(new URL(page.url()).pathname).toBe(address);
    const option = page.getByRole('button', { name: 'North' });
    await page.getByText('You cannot vote here').waitFor();
    expect(await option.isDisabled()).toBe(true);
    await page.getByText('to comment and vote').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'Join the network' }).click();
    await page.getByRole('button', { name: 'Join the network' }).click();
    await page.getByLabel('Your comment').waitFor();
    expect(new URL(page.url()).pathname).toBe(address);
    expect(await option.isEnabled()).toBe(true);
  });
});
