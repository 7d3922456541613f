/** Fingers on a touch screen. Playwright has taps only. */
import type { Page } from 'playwright-core';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Moves each finger from the first point to the second, all at once, in small steps. */
export async function moveFingers(
  page: Page,
  ...fingers: readonly (readonly [from: Point, to: Point])[]
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const steps = 10;
  const pointsAt = (step: number) =>
    fingers.map(([from, to], id) => ({
      id,
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: pointsAt(0) });
  for (let step = 1; step <= steps; step += 1)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: pointsAt(step) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
