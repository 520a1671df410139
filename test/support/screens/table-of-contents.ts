// The console's table of contents. Loaded at run time: its types belong to the browser, which the server's check of types
// does not know.

/** What the tests need of a screen. */
export type ListedScreen = { id: string; path: string; title: string; permission: string };

/** Every screen of the console. */
export async function listScreens(): Promise<readonly ListedScreen[]> {
  const file = new URL('../../../web/console/screens.ts', import.meta.url).href;
  const { screens } = (await import(file)) as { screens: readonly ListedScreen[] };
  return screens;
}
