/** The dashboard's icons, drawn on a 16 by 16 grid with one stroke. They are decorative: each has a text label. */
const paths = {
  bag: 'M3.5 6h9l.8 7.5H2.7Zm2.3 0V4.8a2.2 2.2 0 0 1 4.4 0V6',
  box: 'M8 2 13.5 5v6L8 14 2.5 11V5Zm0 6 5.5-3M8 8 2.5 5M8 8v6',
  cart: 'M1.5 2.5h2l1.6 7.5h7.2l1.5-5.5H4M5.8 12.6a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8Zm5.6 0a.9.9 0 1 1 0 1.8.9.9 0 0 1 0-1.8Z',
  check: 'M3 8.5 6.5 12 13 4.5',
  chevron: 'm4 6 4 4 4-4',
  circles: 'M6 2a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm4 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z',
  close: 'm4 4 8 8m0-8-8 8',
  comment: 'M2.5 3h11v8H8l-3 2.7V11H2.5Z',
  coin: 'M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11Zm0 3.2v4.6',
  compass: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm2.8 3.2L9.2 9.2l-4 1.6 1.6-4Z',
  copy: 'M6 5.5V3h7.5v7.5H11M2.5 5.5H11V13.5H2.5Z',
  file: 'M4 2h5l3 3v9H4Zm5 0v3h3',
  folder: 'M2 4h4.2l1.4 1.8H14v7.4H2Z',
  globe: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Zm0 0c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12M2 8h12',
  heart: 'M8 13.3 3.2 8.5a3 3 0 0 1 4.3-4.3l.5.5.5-.5a3 3 0 0 1 4.3 4.3Z',
  key: 'M5.5 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6Zm2.2.8L13 2.5m-2.6 2.6 2 2',
  live: 'M5 5a4.2 4.2 0 0 0 0 6m6-6a4.2 4.2 0 0 1 0 6M3 3a7 7 0 0 0 0 10M13 3a7 7 0 0 1 0 10M8 8h.01',
  map: 'm2 4 4-1.5L10 4l4-1.5V12l-4 1.5L6 12l-4 1.5Zm4-1.5V12m4-8v9.5',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  page: 'M2.5 3.5h11v9h-11Zm0 3h11',
  people:
    'M6 3a2.3 2.3 0 1 1 0 4.6A2.3 2.3 0 0 1 6 3ZM1.5 13c.4-2.7 2.2-3.3 4.5-3.3s4.1.6 4.5 3.3M10.8 3.3a2.2 2.2 0 0 1 0 4m1.2 2.7c1.5.4 2.3 1.3 2.5 3',
  pin: 'M8 1.8a4.4 4.4 0 0 1 4.4 4.4c0 3-4.4 8-4.4 8s-4.4-5-4.4-8A4.4 4.4 0 0 1 8 1.8Zm0 2.9a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
  megaphone: 'M2.5 6.5v3h2.7l7 3.5V3l-7 3.5Zm2.9 3 .9 4h2.1l-.9-3',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  minus: 'M3 8h10',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm3 7 3.5 3.5',
  shield: 'M8 2 13 3.8v4c0 3-2 5-5 6.2-3-1.2-5-3.2-5-6.2v-4Z',
  spark: 'm8 2 1.6 4.4L14 8 9.6 9.6 8 14 6.4 9.6 2 8l4.4-1.6Z',
  sun: 'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.3m0 10.4v1.3M1.5 8h1.3m10.4 0h1.3M3.4 3.4l.9.9m7.4 7.4.9.9m0-9.2-.9.9m-7.4 7.4-.9.9',
  sword: 'M13.5 2.5 6.8 9.2m-2-1 3 3m-1.6-1.6-3.7 3.9',
  system: 'M2.5 3h11v7h-11Zm3 10.5h5M8 10v3.5',
  table: 'M2.5 3.5h11v9h-11Zm0 3h11m-11 3h11m-7-6v9',
  chart: 'M2.5 13.5h11M4.5 11V8m3.5 3V4m3.5 7V6',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4m2-4v4',
  undo: 'M5.5 3 2.5 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  upload: 'M8 10.5V3M4.5 6 8 2.5 11.5 6M2.5 11v2.5h11V11',
  user: 'M8 3a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM3 13.5c.5-3 2.5-3.5 5-3.5s4.5.5 5 3.5',
  weight: 'M5.5 5.5h5l2 8h-9ZM8 2.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3Z',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 7v3m0 1.7v.3',
  share: 'M9.5 3.2 14 7.4l-4.5 4.2V9.2C6 9.2 3.8 10.3 2 12.8 2.4 8.6 5 5.8 9.5 5.6Z',
  pen: 'M3 13l.7-3L10.5 3.2a1.4 1.4 0 0 1 2 0l.3.3a1.4 1.4 0 0 1 0 2L6 12.3Zm6.2-8.4 2.3 2.3',
  picture: 'M2.5 3h11v10h-11Zm0 8 3.2-3.4 2.6 2.6 2-1.8 3.2 2.9M10.4 5.6a.6.6 0 1 1 0 1.2.6.6 0 0 1 0-1.2Z',
  quote: 'M6.8 5.2C4.6 5.7 3.3 7 3.3 9v2.2h3V8.4H4.8M13 5.2C10.8 5.7 9.5 7 9.5 9v2.2h3V8.4H11',
  video: 'M2.5 3.5h11v9h-11Zm4.3 2.6v3.8L10 8Z',
  tag: 'M2.5 3v4.6l6 6 4.6-4.6-6-6Zm3 2.2h.01',
  history: 'M3.2 5.2A5.7 5.7 0 1 1 2.4 8M2.6 2.6v2.9h2.9M8 5v3.2l2.2 1.4',
  bold: 'M4.5 3h4a2.4 2.4 0 0 1 0 4.8h-4Zm0 4.8h4.6a2.6 2.6 0 0 1 0 5.2H4.5Z',
  italic: 'M6.5 3h5m-7 10h5m-.6-10L7.1 13',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  heading: 'M4 3v10m8-10v10M4 8h8',
  link: 'M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.3-2.3a2.6 2.6 0 0 0-3.7-3.7l-.9.9m1 2.7a2.6 2.6 0 0 0-3.7 0L3.2 9.1a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  list: 'M6 4h7.5M6 8h7.5M6 12h7.5M2.8 4h.01M2.8 8h.01M2.8 12h.01',
  code: 'm5.5 5-3 3 3 3m5-6 3 3-3 3',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
