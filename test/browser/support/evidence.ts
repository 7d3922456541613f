/** What a page showed when its test failed: a locator that waited in vain says only what was not there. */
import type { Browser, Page } from 'playwright-core';

const TEXT_MAX = 1500;
const READ_MS = 5000;

interface TestFailure {
  message: string;
  stack?: string | undefined;
}

/** Adds the text of every open page to the failure. */
export async function addShown(failure: TestFailure, browser: Browser): Promise<void> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const shown = (await Promise.all(pages.map(textOf))).join('');
  failure.message += shown;
  failure.stack += shown; // reports print one or the other
}

async function textOf(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: READ_MS })
    .catch((error: Error) => `(${error.message})`);
  return `\n${page.url()} showed: ${text.replace(/\s+/g, ' ').slice(0, TEXT_MAX)}`;
}
