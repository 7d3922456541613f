/** The design tokens' colors for a canvas: resolved for the current theme. */
export type Token = `--${string}`;

export function readColors<Name extends Token>(within: HTMLElement, names: readonly Name[]): Record<Name, string> {
  const probe = document.createElement('span');
  within.append(probe);
  const colors = names.map((name) => {
    probe.style.color = `var(${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colors) as Record<Name, string>;
}
