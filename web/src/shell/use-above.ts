/** How much of the page is above the content of a section, as the length `--above`: so content can be as high as the rest of the window. */
import { useCallback } from 'react';

/** @returns a ref for the head of the section, whose parent gets the length */
export function useAbove(): (head: HTMLElement | null) => (() => void) | undefined {
  return useCallback((head) => {
    if (!head) return;
    const observer = new ResizeObserver(() => {
      const above = head.getBoundingClientRect().bottom + window.scrollY;
      head.parentElement?.style.setProperty('--above', `${above}px`);
    });
    for (const each of [head, ...allBefore(head)]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
}

/** What comes before the element, and before all elements around it. */
function allBefore(element: HTMLElement): Element[] {
  const before: Element[] = [];
  for (let around: Element | null = element; around; around = around.parentElement)
    for (let each = around.previousElementSibling; each; each = each.previousElementSibling) before.push(each);
  return before;
}
