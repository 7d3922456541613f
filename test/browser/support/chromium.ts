/** Finds a Chromium for the browser tests. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** The headless shell first: it manages no windows and is about a third faster. */
const USUAL = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function find(): string | null {
  const own = process.env.CHROMIUM_PATH;
  if (own) return own; // if it is wrong, the launch fails
  return [...USUAL, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

const executablePath = find();
if (!executablePath)
  process.stderr.write('Skipping the browser tests: no Chromium found. Set CHROMIUM_PATH to use one.\n');

/** A `describe` that is skipped if there is no Chromium. */
export const describeInBrowser = describe.skipIf(!executablePath);

let launched: Browser | undefined;

/** The browser of this process: it ends with it. Files that follow each other use the same one, each page with a profile of its own. */
export async function theBrowser(): Promise<Browser> {
  if (!launched?.isConnected()) launched = await launch();
  return launched;
}

function launch(): Promise<Browser> {
  if (!executablePath) throw new Error('No Chromium found');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-software-rasterizer',
      '--disable-extensions',
      '--disable-features=SpareRendererForSitePerProcess',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
