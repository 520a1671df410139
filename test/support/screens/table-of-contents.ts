// The tables of contents of the console and the portal. Loaded at run time: its types belong to the browser, which the server's check of types
// does not know.

/** What the tests need of a screen. */
export type ListedScreen = { id: string; path: string; title: string };

/** Every screen of an app. */
export async function listScreens(app: 'console' | 'portal' = 'console'): Promise<readonly ListedScreen[]> {
  const file = new URL(`../../../web/${app}/screens.ts`, import.meta.url).href;
  const { screens } = (await import(file)) as { screens: readonly ListedScreen[] };
  return screens;
}
