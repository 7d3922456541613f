/**
 * Tells clients when their data may be outdated because the server has not heard from its database for a while. A ping of the
 * protocol carries it, `{"streamLagMs": 12000}`, repeated every few seconds, and with 0 when the stream is current again. Clients that
 * do not know it just answer the ping.
 */
const LOOK_MS = 1000;
/** A lag that people would notice. */
const LAG_TOLD_MS = 3000;
const TELL_AGAIN_MS = 5000;

/** @param lagMs how far behind the stream is @param tell tells all clients @returns stops it */
export function watchLag(lagMs: () => number, tell: (notice: string) => void): () => void {
  let toldAt: number | null = null;
  let wasBehind = false;
  const look = () => {
    const lag = lagMs();
    const isBehind = lag >= LAG_TOLD_MS;
    // Twice in a row: right after this process itself was blocked, the events of that time are yet to be read.
    const isStill = isBehind && wasBehind;
    wasBehind = isBehind;
    const now = performance.now();
    const isDue = isStill ? toldAt === null || now - toldAt >= TELL_AGAIN_MS : !isBehind && toldAt !== null;
    if (!isDue) return;
    toldAt = isStill ? now : null;
    tell(JSON.stringify({ type: 'ping', payload: { streamLagMs: isStill ? lag : 0 } }));
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
