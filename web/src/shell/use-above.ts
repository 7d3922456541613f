/** Where an element begins on the page, as its length `--top`: so it can be as high as what is left of the window. */
import { useCallback } from 'react';

/** @returns a ref for the element */
export function useTop(): (element: HTMLElement | null) => (() => void) | undefined {
  return useCallback((element) => {
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const top = element.getBoundingClientRect().top + window.scrollY;
      element.style.setProperty('--top', `${top}px`);
    });
    for (const each of allAbove(element)) observer.observe(each);
    return () => observer.disconnect();
  }, []);
}

/** What comes before the element, in all elements around it. */
function allAbove(element: HTMLElement): Element[] {
  const above: Element[] = [];
  for (let around: Element | null = element; around; around = around.parentElement)
    for (let each = around.previousElementSibling; each; each = each.previousElementSibling) above.push(each);
  return above;
}
