/** Where the panes stand one below the other: as in the style sheet. */
export const NARROW = '(max-width: 720px)';
