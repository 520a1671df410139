// TABLE OF CONTENTS of what /console shows when no program is open.
export const allPrograms = { id: 'allPrograms', load: () => import('./programs/AllPrograms.tsx') };
