/** Finds a Chromium for the tests of the dashboard. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { describe, vi } from 'vitest';

/** The headless shell first: it has no windows to keep, and takes about a third less time. */
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
  if (own) return own; // if it is wrong, the launch says so
  return [...USUAL, chromium.executablePath()].find((path) => existsSync(path)) ?? null;
}

const executablePath = find();
if (!executablePath)
  process.stderr.write('The browser tests are skipped: no Chromium was found. CHROMIUM_PATH names one.\n');

// A browser and one or two servers start in each of these files, beside whatever else the machine has to do.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

/** A `describe` that is skipped where there is no Chromium. */
export const describeInBrowser = describe.skipIf(!executablePath);

export function launchChromium() {
  if (!executablePath) throw new Error('There is no Chromium');
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
