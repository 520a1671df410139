type Keys = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey'>;

/** Whether an event is this stroke: `a`, `?`, `Escape`, `mod+k`. `mod` is ⌘ or Ctrl. Shift is part of the character. */
export function matchStroke(stroke: string, { key, metaKey, ctrlKey, altKey }: Keys): boolean {
  const parts = stroke.toLowerCase().split('+');
  const wanted = parts.at(-1) ?? '';
  const hasMod = parts.length > 1 && parts[0] === 'mod';
  return key.toLowerCase() === wanted && (metaKey || ctrlKey) === hasMod && !altKey;
}
