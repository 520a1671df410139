// What /console shows about several programs, besides their names. Loaded with its texts after the first load.
export const programFigures = { id: 'programFigures', load: () => import('./programs/ProgramFigures.tsx') };
export const allReviews = { id: 'allReviews', load: () => import('./programs/AllReviews.tsx') };
