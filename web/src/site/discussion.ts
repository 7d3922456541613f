/** The discussion of a page. The server's stands until the live one, which is loaded when it comes near, has its comments. */

/** How near, in the direction of reading. */
const NEAR = '0px 0px 600px 0px';

export function followDiscussion(section: HTMLElement): void {
  const { on } = section.dataset;
  if (!on) return;
  const load = async () => {
    const { mountDiscussion } = await import('./live-discussion.js');
    await mountDiscussion(section, on);
  };
  if (location.hash.startsWith('#comment-')) return void load().catch(() => undefined);
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void load().catch(() => undefined); // the server's forms work
    },
    { rootMargin: NEAR },
  );
  observer.observe(section);
}
