// The region that screen readers read from. Its text is removed once it was read, because it would be outdated later.
import { useEffect, useState } from 'react';
import { onAnnouncement } from './announcements.ts';

const shownMs = 8_000;

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
  useEffect(() => {
    const timer = text === '' ? undefined : setTimeout(() => setText(''), shownMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
