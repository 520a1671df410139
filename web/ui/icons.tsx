// Icons of the interface: drawn on a 20 px grid with one stroke weight and round caps. Decorative: the word is next to them.
import styles from './icons.module.css';

const paths = {
  // Navigation
  overview: 'M3 10.2 10 4l7 6.2M5 8.8V16h10V8.8M8.5 16v-4h3v4',
  review: 'M3 11.5V15a1.5 1.5 0 0 0 1.5 1.5h11A1.5 1.5 0 0 0 17 15v-3.5M3 11.5 5.2 4h9.6l2.2 7.5M3 11.5h3.6l1 2h4.8l1-2H17',
  affiliates:
    'M7.5 9.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM2.5 16c.3-2.7 2.3-4 5-4s4.7 1.3 5 4M13 4.3a2.750 2.750 0 0 1 0 5M14.5 12.3c1.8.5 2.8 1.8 3 3.7',
  page: 'M5 3.5h7l3.5 3.5v9.5h-10.5ZM12 3.5V7h3.5M8 10.5h4.5M8 13.3h4.5',
  conversions: 'M4 5.5h1.8l1.7 8h7.3l1.7-6H6.3M8.5 16.5h.01M14 16.5h.01',
  commissions: 'M5 15 15 5M6.7 8.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM13.3 15.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  payouts: 'M3 6h14v9H3ZM3 9h14M6 12.3h3',
  rules: 'M4 5.5h12M4 10h8M4 14.5h5M15.5 11v5M13 13.5h5',
  products: 'M10 3 16.5 6.3v7.4L10 17l-6.5-3.3V6.3ZM3.7 6.5 10 9.7l6.3-3.2M10 9.7V17',
  coupons: 'M3 6h14v2.5a1.5 1.5 0 0 0 0 3V14H3v-2.5a1.5 1.5 0 0 0 0-3ZM11.5 6v1.5M11.5 9.3v1.4M11.5 12.5V14',
  groups: 'M10 3.5 17 7l-7 3.5L3 7ZM3.5 10.3 10 13.5l6.5-3.2M3.5 13.5 10 16.7l6.5-3.2',
  insights: 'M3.5 3.5v13h13M6.5 13l3-4 2.5 2 4-5.5',
  fraud: 'M10 3l5.8 2v4.6c0 3.7-2.4 6.2-5.8 7.4-3.4-1.2-5.8-3.7-5.8-7.4V5ZM10 7v3.5M10 13.2h.01',
  developers: 'M7 6 3 10l4 4M13 6l4 4-4 4',
  settings: 'M3.5 6h6M13.5 6h3M11.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM3.5 14h3M10.5 14h6M8.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  customers: 'M8 9.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM2.5 16.5c.4-2.8 2.4-4.2 5.5-4.2 1.3 0 2.4.2 3.3.7M12.2 14.7l1.9 1.9 3.4-3.8',
  members: 'M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.4-3 2.7-4.5 6-4.5s5.6 1.5 6 4.5',
  security: 'M5.5 9h9v7.5h-9ZM7.3 9V6.5a2.7 2.7 0 0 1 5.4 0V9M10 12v1.7',
  mailbox: 'M3 5.5h14v9.5H3ZM3.3 6l6.7 5 6.7-5',
  // States of money and of affiliates
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6.3v4l2.6 1.7',
  gate: 'M4.5 3.5v13M15.5 3.5v13M4.5 7.5h11M4.5 12.5h11',
  drop: 'M10 3c3.5 4.2 5 6.6 5 9a5 5 0 0 1-10 0c0-2.4 1.5-4.8 5-9Z',
  check: 'm4 10.6 4 4L16.2 6',
  ebb: 'M16.5 10H5M9.3 5.3 4.5 10l4.8 4.7',
  transit: 'M3 7.5h9.5M9.5 4.3l3.3 3.2-3.3 3.2M17 12.5H7.5M10.5 9.3l-3.3 3.2 3.3 3.2',
  unknown: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM8 8.3c.1-1.2.9-1.9 2-1.9s2 .7 2 1.8c0 1.5-2 1.5-2 3M10 13.6h.01',
  pause: 'M7 5v10M13 5v10',
  archive: 'M3.5 4h13v3.5h-13ZM4.5 7.5V16h11V7.5M8 10.7h4',
  // Actions
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13.2 13.2 16.8 16.8',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  close: 'm5 5 10 10M15 5 5 15',
  more: 'M4.5 10a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0ZM9.6 10a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0ZM14.7 10a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0Z',
  edit: 'M4 16l.7-3.2L13 4.5a1.4 1.4 0 0 1 2 0l.5.5a1.4 1.4 0 0 1 0 2L7.2 15.3ZM11.7 5.8l2.5 2.5',
  copy: 'M7 7h9v9H7ZM4 13V4h9',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-1 1M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l1-1',
  external: 'M8.5 4.5h-4v11h11v-4M11.5 4h4.5v4.5M15.7 4.3 9.5 10.5',
  download: 'M10 3.5v9M6.3 9 10 12.7 13.7 9M4 16.5h12',
  upload: 'M10 12.7v-9M6.3 7.2 10 3.5l3.7 3.7M4 16.5h12',
  filter: 'M3.5 5.5h13M6 10h8M8.5 14.5h3',
  columns: 'M3.5 4h13v12h-13ZM8 4v12M12.3 4v12',
  density: 'M4 5h12M4 8.3h12M4 11.7h12M4 15h12',
  sort: 'M6.5 4.5v11M3.5 12.5l3 3 3-3M13.5 15.5v-11M10.5 7.5l3-3 3 3',
  refresh: 'M16 7.5A6.5 6.5 0 0 0 4.3 7M4 3.5V7h3.5M4 12.5A6.5 6.5 0 0 0 15.7 13M16 16.5V13h-3.5',
  undo: 'M4 8h8a4 4 0 0 1 0 8H8M7.3 4.5 3.8 8l3.5 3.5',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6M8.5 9v4.5M11.5 9v4.5',
  send: 'M3.5 9.7 16.5 4l-4 12.5-3-5.5ZM9.5 11l7-7',
  note: 'M4 4h12v8l-4 4H4ZM16 12h-4v4M7 7.5h6M7 10.5h3',
  tag: 'M3.5 3.5h6.3l6.7 6.7-6.3 6.3-6.7-6.7ZM7 7h.01',
  eye: 'M2.5 10c1.7-3.3 4.3-5 7.5-5s5.8 1.7 7.5 5c-1.7 3.3-4.3 5-7.5 5s-5.8-1.7-7.5-5ZM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  bell: 'M5 13.5V9a5 5 0 0 1 10 0v4.5l1.3 1.5H3.7ZM8.5 17.3h3',
  image: 'M3.5 4.5h13v11h-13ZM7.3 9.3a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4ZM3.5 13.6l3.4-2.9 2.4 2 3.6-3.6 3.6 3.3',
  table: 'M3.5 4h13v12h-13ZM3.5 8h13M3.5 12h13M9 8v8',
  chart: 'M4 16.5V11M8 16.5V6M12 16.5V9M16 16.5V3.5',
  calendar: 'M3.5 5h13v11.5h-13ZM3.5 8.7h13M7 3v3.5M13 3v3.5',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 9.5v4M10 6.6h.01',
  warning: 'M10 3.5 17.5 16.5h-15ZM10 8.5v3.5M10 14.2h.01',
  offline:
    'M3.5 3.5l13 13M2.5 8.5a11 11 0 0 1 4-2.6M9.5 5.2a10.9 10.9 0 0 1 8 3.3M5.5 11.5a6.5 6.5 0 0 1 3-1.8M12 10a6.4 6.4 0 0 1 2.5 1.5M10 15.5h.01',
  key: 'M7 12.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 9H17v3M14 9v2.2',
  device: 'M4 4.5h12V13H4ZM2.5 16h15',
  phone: 'M6.3 3h7.4v14H6.3ZM9.3 14.4h1.4',
  sun: 'M10 13.3a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6ZM10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M4.7 15.3l1.2-1.2M14.1 5.9l1.2-1.2',
  moon: 'M16 11.8A6.7 6.7 0 0 1 8.2 4 6.7 6.7 0 1 0 16 11.8Z',
  menu: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  command:
    'M7.5 7.5h5v5h-5ZM7.5 7.5H6a2 2 0 1 1 1.5-2ZM12.5 7.5V6a2 2 0 1 1 2 1.5ZM12.5 12.5H14a2 2 0 1 1-1.5 2ZM7.5 12.5V14a2 2 0 1 1-2-1.5Z',
  signOut: 'M11.5 4h-7v12h7M9 10h8M14 7l3 3-3 3',
  switch: 'm6.5 8 3.5-3.5L13.5 8M6.5 12l3.5 3.5 3.5-3.5',
  chevronDown: 'm5.5 8 4.5 4.5L14.5 8',
  chevronUp: 'M5.5 12 10 7.5l4.5 4.5',
  chevronRight: 'm8 5.5 4.5 4.5L8 14.5',
  chevronLeft: 'M12 5.5 7.5 10l4.5 4.5',
  arrowUp: 'M10 16V4.5M5.5 9 10 4.5 14.5 9',
  arrowDown: 'M10 4v11.5M5.5 11l4.5 4.5 4.5-4.5',
  arrowRight: 'M4 10h11.5M11 5.5l4.5 4.5-4.5 4.5',
} as const;

export type IconName = keyof typeof paths;

/** An icon in the color of its text; the word next to it says what it means. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={size < 16 ? 2 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={paths[name]} />
    </svg>
  );
}
