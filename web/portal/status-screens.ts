// TABLE OF CONTENTS of what takes the place of a screen that the account's status doesn't open: loaded with its texts, which most
// visits don't need.
export const accountStatus = { id: 'accountStatus', load: () => import('./account/AccountStatus.tsx') };
