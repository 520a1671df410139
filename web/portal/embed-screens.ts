// TABLE OF CONTENTS of what opens in a page of the program: loaded with its texts, which the portal itself doesn't need.
export const embed = { id: 'embed', load: () => import('./embed/open.tsx') };
