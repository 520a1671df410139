// The history of a frame: one entry, in memory. The address of the frame stays that of the embed, and the Back button of the
// browser leaves the page of the program instead of stepping through the frame.
import { createHistory, type HistoryLocation, type RouterHistory } from '@tanstack/react-router';

/** A history that starts at an address of the portal. */
export function createFrameHistory(start: string): RouterHistory {
  let location = toLocation(start, { __TSR_index: 0 });
  const setLocation = (path: string, state: HistoryLocation['state']) => {
    location = toLocation(path, state);
  };
  return createHistory({
    getLocation: () => location,
    getLength: () => 1,
    pushState: setLocation,
    replaceState: setLocation,
    go: () => {},
    back: () => {},
    forward: () => {},
    createHref: (path) => path,
  });
}

function toLocation(path: string, state: HistoryLocation['state']): HistoryLocation {
  const { pathname, search, hash } = new URL(path, 'http://frame');
  return { href: path, pathname, search, hash, state };
}
