import type { Page } from 'playwright-core';

/** Holds requests to the API, so that a page waits. @param part of their bodies @returns a function that lets them go */
export async function holdOperation(page: Page, part: string): Promise<() => void> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(part)) await isReleased;
    await route.fallback();
  });
  return release;
}
