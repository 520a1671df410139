// What the pages of all PDFs have in common. Lengths are in points; a page is 595 wide and 842 high (A4).

export const margin = 56;

/** The colours of text. */
export const ink = '#1c2321';
export const faint = '#6b7672';
