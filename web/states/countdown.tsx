import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Counts down the seconds of a rate limit and then tries again. */
export function Countdown({ seconds, onEnd }: { seconds: number; onEnd?: (() => void) | undefined }) {
  const { t } = useTranslation('shell');
  const [left, setLeft] = useState(seconds);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (left <= 0) {
      end.current?.();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return <span>{left > 0 ? t('problem.busy', { count: left }) : t('problem.retrying')}</span>;
}
