// The files of a build. By default, the bundler makes a file for every set of screens that share a module, fifty of them
// before the first screen. Here, an app has its shell, and a screen its own file and a few that screens share.

type Group = { name: string; test?: RegExp | ((id: string) => boolean); tags?: '$initial'[]; minShareCount?: number; priority: number };

const isMain = /\/web\/(?:\w+\/)?main\.tsx?$/;

// What every screen uses. Not what needs fields: the first screen, the Overview, has none.
const forFigures =
  /\/web\/ui\/((figures(?!\/converted)|layout|marks(?!\/code-block)|states)\/|overlay\/[\w-]+\.ts)|\/web\/((states|url)\/|interventions\/use-step-up\.ts)/;
// Fields, and what the component library needs for them and for overlays.
const forFields =
  /\/web\/ui\/form\/(?!countries)|\/@mantine\/(hooks|core\/esm\/(core|components\/(CloseButton|FocusTrap|Input|Loader|Overlay|Portal|Transition)))\//;
// What opens above the page or next to a button, with the library that places it.
const forOverlays = /\/web\/ui\/overlay\/content\//;
const forTables = /\/web\/ui\/table\//;
const forCharts = /\/web\/ui\/charts\/|\/node_modules\/d3-(?!shape\/src\/(link|pointRadial|curve\/bump))/;
// What the Overview shares with the sheets that it opens, separate from what other screens share.
const forOverview = /\/web\/console\/overview\//;
// The forms and steps of stores and payout providers, which the list of stores loads when one is connected.
const forConnections = /\/web\/console\/settings\/connections\/(?!ConnectionStatus)/;
// What the screens of orders share with the tester of rules.
const forOrders = /\/web\/console\/(conversions\/order\/(use-)?say|affiliates\/AffiliateSelect)\.tsx?$/;
// The path of an order, which the order tester shows too.
const forPaths = /\/web\/(ui\/path\/|console\/conversions\/order\/(OrderPathView|path-of-order|sentences))|\/d3-shape\//;
// What only the files of one area share.
const forRules = /\/web\/console\/rules\/(?!rate-value)/;
// The countries, which forms list and figures name.
const forCountries = /\/web\/ui\/form\/countries/;
// Sending files, which few screens do.
const forUploads = /\/web\/api\/upload\.ts/;
// What a list and its sheets share.
const forResources = /\/web\/console\/resources\//;
const forAnnouncements = /\/web\/console\/announcements\//;
const forSettings = /\/web\/console\/settings\/form\//;
const forControls = /\/node_modules\/(?!d3-)|\/web\/ui\/(form\/(?!countries)|overlay\/)/;

/**
 * The highest priority decides, and takes along what its modules import. What only one screen needs is in the screen's
 * file; a screen without a table or a chart doesn't load theirs.
 */
export const chunkGroups: Group[] = [
  // The first module waits for the texts, so it is a separate file.
  { name: 'shell', tags: ['$initial'], test: (id) => !isMain.test(id), priority: 9 },
  { name: 'figures', test: forFigures, minShareCount: 2, priority: 7 },
  { name: 'fields', test: forFields, minShareCount: 2, priority: 6 },
  { name: 'charts', test: forCharts, minShareCount: 2, priority: 5 },
  { name: 'overlays', test: forOverlays, priority: 5 },
  { name: 'overview', test: forOverview, minShareCount: 2, priority: 4 },
  { name: 'paths', test: forPaths, minShareCount: 2, priority: 4 },
  { name: 'orders', test: forOrders, minShareCount: 2, priority: 5 },
  { name: 'countries', test: forCountries, minShareCount: 2, priority: 5 },
  { name: 'connections', test: forConnections, minShareCount: 2, priority: 4 },
  { name: 'rules', test: forRules, minShareCount: 2, priority: 4 },
  { name: 'uploads', test: forUploads, minShareCount: 2, priority: 4 },
  { name: 'settings', test: forSettings, minShareCount: 2, priority: 4 },
  { name: 'controls', test: forControls, minShareCount: 2, priority: 4 },
  {
    name: 'screens',
    test: (id) => !id.includes('/web/locales/') && ![forTables, forResources, forAnnouncements].some((one) => one.test(id)),
    minShareCount: 2,
    priority: 3,
  },
  // After `screens`, so that they take along nothing that other screens use.
  { name: 'announcements', test: forAnnouncements, minShareCount: 2, priority: 2 },
  { name: 'resources', test: forResources, minShareCount: 2, priority: 2 },
  { name: 'table', test: forTables, minShareCount: 2, priority: 2 },
];
