// What the table of contents declares of each screen.
import type { ReactNode } from 'react';
import type { TextKey } from '../../locales/load.ts';
import type { Permission } from '../../session/roles.gen.ts';
import type { IconName } from '../../ui/icons.tsx';

/** A section of the main navigation, in the order in which they are shown. */
export const navigationGroups = ['start', 'program', 'money', 'catalogue', 'setup'] as const;
export type NavigationGroup = (typeof navigationGroups)[number];

/** A section of the settings, which have their own navigation. */
export const settingsGroups = ['program', 'public', 'access', 'connections', 'records'] as const;
type SettingsGroup = (typeof settingsGroups)[number];

export type Screen = {
  id: string;
  /** With parameters as `$name`; the Overview's is `/`. */
  path: string;
  title: TextKey;
  /** The file of the screen; it exports a component `Screen`. Each is a file of the build, loaded when it is opened. */
  load: () => Promise<{ Screen: () => ReactNode }>;
  /** Without it, the screen states which role is required. */
  permission: Permission;
  /**
   * Where it is in the main navigation; screens without a place there or in the settings are reached from others. On phones,
   * tabs are always visible, and the others are behind "More".
   */
  navigation?: { group: NavigationGroup; icon: IconName; isTab?: boolean };
  /** Where it is in the navigation of the settings, and one sentence about it for their first screen. */
  settings?: { group: SettingsGroup; icon: IconName; description: TextKey };
  /** The id of the screen of the settings that it belongs to, and whose navigation it is shown with. */
  partOf?: string;
  /** Opens the screen from anywhere, e.g. `g a`. */
  keys?: string;
  /** Additional words by which the palette finds it, separated by spaces. */
  keywords?: TextKey;
};
