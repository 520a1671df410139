// Overlays whose files are not part of the first load. They load with the first input on the page, at the latest when an
// overlay opens.
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from './toast-store.ts';

type Overlay = { isOpen: boolean; onClose: () => void };

const inputs = ['pointermove', 'pointerdown', 'keydown'] as const;
const loads = new Set<() => Promise<unknown>>();

/** Loads the files of all overlays as soon as the user moves the pointer, touches the page or presses a key. */
export function loadOnInput(): () => void {
  const stop = () => {
    for (const input of inputs) removeEventListener(input, start, { capture: true });
  };
  const start = () => {
    stop();
    // A failure is reported when the overlay opens.
    for (const load of loads) void load().catch(() => undefined);
  };
  for (const input of inputs) addEventListener(input, start, { capture: true, passive: true });
  return stop;
}

/** An overlay that loads its file when it is first needed, and again after a failure. */
export function onDemand<Props extends Overlay>(load: () => Promise<ComponentType<Props>>): (props: Props) => ReactNode {
  let file: Promise<ComponentType<Props>> | null = null;
  const start = () => {
    file ??= load().catch((error: unknown) => {
      file = null;
      throw error;
    });
    return file;
  };
  loads.add(start);
  return function OnDemand(props: Props) {
    const Content = useFile(start, props);
    // It is mounted closed, because an overlay notes the focus that it returns when it opens.
    const [isMounted, setIsMounted] = useState(false);
    useEffect(() => setIsMounted(Content !== null), [Content]);
    return Content === null ? null : <Content {...props} isOpen={props.isOpen && isMounted} />;
  };
}

/** The component of the file once the overlay has been opened; null until then. */
function useFile<Props extends Overlay>(start: () => Promise<ComponentType<Props>>, { isOpen, onClose }: Overlay) {
  const { t } = useTranslation('ui');
  const [file, setFile] = useState<{ Content: ComponentType<Props> } | null>(null);
  const latest = useRef({ onClose, t });
  latest.current = { onClose, t };
  const isNeeded = isOpen && file === null;
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    const fail = () => {
      if (!isCurrent) return;
      latest.current.onClose();
      // Some browsers never request a file again that was missing once.
      const action = { label: latest.current.t('overlay.reload'), onClick: () => location.reload() };
      showToast(latest.current.t('overlay.fileMissing'), { tone: 'error', action });
    };
    start().then((Content) => isCurrent && setFile({ Content }), fail);
    return () => {
      isCurrent = false;
    };
  }, [isNeeded, start]);
  return file?.Content ?? null;
}
