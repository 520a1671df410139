import { useEffect, useState } from 'react';
import { onAnnouncement } from './announcements.ts';

/** The region that screen readers read from. */
export function Announcer() {
  const [text, setText] = useState('');
  useEffect(
    () =>
      onAnnouncement((next) => {
        // The same sentence twice is announced twice only if the region changes in between.
        setText('');
        requestAnimationFrame(() => setText(next));
      }),
    [],
  );
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
