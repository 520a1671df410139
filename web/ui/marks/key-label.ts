const names: Record<string, string> = { enter: '↵', esc: 'Esc', up: '↑', down: '↓', left: '←', right: '→', shift: '⇧', space: 'Space' };

/** How a key is printed on this user's keyboard: `mod+k` is ⌘K on a Mac and Ctrl K elsewhere. */
export function keyLabel(stroke: string, isMac = isMacKeyboard()): string {
  const parts = stroke.split('+').map((part) => {
    if (part === 'mod') return isMac ? '⌘' : 'Ctrl';
    return names[part] ?? part.toUpperCase();
  });
  return parts.join(isMac ? '' : ' ');
}

function isMacKeyboard(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);
}
