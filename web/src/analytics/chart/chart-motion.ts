/** Animates bars to their new heights. */
const DURATION_MS = 220;
const still = window.matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Calls `draw` once per frame with interpolated values, finally with `to` itself.
 * @param from undefined or of another length: no animation
 * @returns stops the animation
 */
export function animateCounts(
  from: readonly number[] | undefined,
  to: readonly number[],
  draw: (counts: readonly number[]) => void,
): () => void {
  if (from?.length !== to.length || still.matches || document.hidden) {
    draw(to);
    return () => {};
  }
  const begin = performance.now();
  let frame = 0;
  const step = (now: number) => {
    const progress = Math.min(1, (now - begin) / DURATION_MS);
    const eased = 1 - (1 - progress) ** 3;
    draw(progress === 1 ? to : to.map((count, index) => (from[index] ?? 0) + (count - (from[index] ?? 0)) * eased));
    if (progress < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
