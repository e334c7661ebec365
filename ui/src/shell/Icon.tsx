// Line icons of our own, drawn on a 24-unit square in the color of the text around them.

import type { JSX } from 'preact';

const ICONS = {
  stones: (
    <>
      <circle cx="9" cy="12" r="6.5" fill="currentColor" stroke="none" />
      <circle cx="15.5" cy="12" r="6.5" class="icon-light" />
    </>
  ),
  system: (
    <>
      <rect x="3.5" y="4.5" width="17" height="12" rx="1.5" />
      <path d="M9 20h6M12 16.5V20" />
    </>
  ),
  light: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6l1.4 1.4m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4" />
    </>
  ),
  dark: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z" />,
  help: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M9.6 9.6a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1.1.9-1.1 1.8M12 16.6v.1" />
    </>
  ),
  close: <path d="m6.5 6.5 11 11m0-11-11 11" />,
  first: <path d="M17 6.5 10.5 12l6.5 5.5M7 6v12" />,
  previous: <path d="M14.5 6 8 12l6.5 6" />,
  next: <path d="m9.5 6 6.5 6-6.5 6" />,
  last: <path d="m7 6.5 6.5 5.5L7 17.5M17 6v12" />,
  undo: <path d="M8.5 5 4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-4" />,
  pass: <path d="M4 12h14m-5-5.5 5.5 5.5L13 17.5" />,
  flag: <path d="M6 21V4m0 1h11l-2.5 3.5L17 12H6" />,
  scale: (
    <path d="M12 4v15m-4.5 1h9M4.5 7.5h15M7 7.5 4 14a3 3 0 0 0 6 0Zm10 0L14 14a3 3 0 0 0 6 0Z" />
  ),
  save: <path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14" />,
  copy: (
    <>
      <rect x="8.5" y="8.5" width="11" height="11" rx="1.5" />
      <path d="M15.5 8.5V6A1.5 1.5 0 0 0 14 4.5H6A1.5 1.5 0 0 0 4.5 6v8A1.5 1.5 0 0 0 6 15.5h2.5" />
    </>
  ),
  look: (
    <>
      <circle cx="10.5" cy="10.5" r="6" />
      <path d="m15 15 5 5" />
    </>
  ),
  trash: <path d="M5 7h14M10 7V4.5h4V7m-7.5 0 1 12.5h9L17.5 7M10.5 10.5v5.5m3-5.5v5.5" />,
  plus: <path d="M12 5v14M5 12h14" />,
  check: <path d="m5.5 12.5 4.5 4.5 8.5-10" />,
  open: <path d="M12 15V4.5M7.5 8.5 12 4l4.5 4.5M5 14v5.5h14V14" />,
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}
