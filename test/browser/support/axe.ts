/** Runs axe-core on a page. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The dark scheme changes colors, and nothing else. */
const RULES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
/** Everything except GraphiQL's own editors, which we do not control. */
const CONTEXT = "{ exclude: ['.graphiql-container'] }";
/** Waits for two frames, or a second: a browser with nothing to draw fires none. */
const DRAWN = `new Promise((drawn) => {
  requestAnimationFrame(() => requestAnimationFrame(drawn));
  setTimeout(drawn, 1000);
})`;
const ANSWER_MS = 20_000;
const SCREENS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** The violations on the current page, for each screen size and color scheme: one text per violation. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(AXE); // not with a script element: the page's content security policy blocks it
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const screen of SCREENS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(screen);
      await page.evaluate('scrollTo(0, 0)'); // so that the header covers nothing
      const look = async (script: string) =>
        inTime(page.evaluate(script), `${page.url()} ${colorScheme} ${screen.width}`);
      await look(DRAWN);
      const options = JSON.stringify({ runOnly: RULES[colorScheme], resultTypes: ['violations'] });
      const { violations } = (await look(`axe.run(${CONTEXT}, ${options})`)) as { violations: Violation[] };
      faults.push(...violations.flatMap(describeFaults).map((fault) => `${colorScheme}, ${screen.width}: ${fault}`));
    }
  }
  return faults;
}

/** Fails with the name of the page that does not respond. */
async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The browser does not respond: ${what}`)), ANSWER_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describeFaults({ id, nodes }: Violation): string[] {
  return nodes
    .map(({ target, failureSummary }) => ({ place: target.join(' '), failureSummary }))
    .filter(({ place }) => !(id === 'region' && place.includes('radix-popper'))) // a menu floats over the page, outside its landmarks
    .map(({ place, failureSummary }) => `${id}: ${place}: ${failureSummary}`);
}
